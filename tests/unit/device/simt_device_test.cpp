// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>

#include "device/device.h"
#include "ptx/text/parser.h"
#include "support/results.h"

namespace tilestep::device::simt_device_test {

/// out[i] = 2 * in[i] + s for i < n; sum[0] grows by 1 per launch.
constexpr const char* kScale = R"(
.version 8.0
.target sm_75
.address_size 64
.const .align 4 .b8 bias[4];
.visible .entry scale(.param .u64 in, .param .u64 out, .param .u64 sum, .param .u32 n,
                      .param .f32 s) {
  .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .pred %p<3>;
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; ld.param.u64 %rd3, [sum];
  ld.param.u32 %r1, [n]; ld.param.f32 %f1, [s];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r2, %r3, %r4; setp.ge.u32 %p1, %r5, %r1;
  @%p1 bra DONE;
  mul.wide.u32 %rd4, %r5, 4; add.s64 %rd5, %rd1, %rd4; ld.global.f32 %f2, [%rd5];
  ld.const.f32 %f4, [bias]; fma.rn.f32 %f3, %f2, 0f40000000, %f1; add.f32 %f3, %f3, %f4;
  add.s64 %rd6, %rd2, %rd4; st.global.f32 [%rd6], %f3;
  setp.ne.u32 %p2, %r5, 0; @%p2 bra DONE;
  ld.global.u32 %r6, [%rd3]; add.u32 %r6, %r6, 1; st.global.u32 [%rd3], %r6;
DONE:
  ret;
}
)";

Operand buffer(const std::string& name, Direction direction, uint64_t elements, Fill fill) {
  Operand operand;
  operand.name = name;
  operand.direction = direction;
  operand.elements = elements;
  operand.fill = fill;
  return operand;
}

Operand scalar(ElementType type, int64_t value) {
  Operand operand;
  operand.kind = OperandKind::scalar;
  operand.type = type;
  operand.elements = 1;
  operand.scalar = value;
  return operand;
}

Job scaleJob(uint32_t n) {
  Job job;
  job.module = std::make_shared<const ptx::Module>(ptx::parse(kScale).value());
  job.operands = {buffer("in", Direction::in, 40, Fill::index),
                  buffer("out", Direction::out, 40, Fill::random),
                  buffer("sum", Direction::inout, 1, Fill::index),
                  scalar(ElementType::u32, n),
                  scalar(ElementType::f32, 3),
                  buffer("bias", Direction::in, 1, Fill::ones)};
  job.operands[2].type = ElementType::u32;
  job.operands[5].kind = OperandKind::symbol;
  job.launches = {{"scale", {2, 1, 1}, {32, 1, 1}, 0}};
  job.check = true;
  return job;
}

TEST(SimtDevice, FillsNothingAfterItsTimeLimit) {
  Job job = scaleJob(40);
  job.timeoutSeconds = job.spentSeconds = 5;
  const auto outcome = openSimt(1)->run(job, {});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().kind, ErrorKind::work);
  EXPECT_EQ(outcome.error().message.find("filling the operands had not ended when the time limit "),
            0U)
      << outcome.error().message;
  job.spentSeconds = 0;
  EXPECT_EQ(openSimt(1)->run(job, [] { return true; }).error().message,
            "filling the operands was cancelled");
}

TEST(SimtDevice, ComputesItsMemoryBeforeItRuns) {
  Job job = scaleJob(40);
  job.check = false;
  const auto device = openSimt(1);
  const HostMemory plain = device->hostMemory(job);
  EXPECT_EQ(plain.operands, 4U * (40 + 40 + 1 + 1));
  EXPECT_EQ(plain.checkers, 0U);
  EXPECT_GT(plain.interpreter, 0U);
  EXPECT_EQ(plain.trace, 0U);
  job.check = true;
  // `out` and `sum` are written. Each granule needs marks of eight bytes: one write, and for `sum`
  // two reads. Each byte of `out` needs one more byte.
  const HostMemory checked = device->hostMemory(job);
  EXPECT_GE(checked.checkers, 8U * (40 + 3) + 4 * 40);
  EXPECT_LE(checked.checkers, 8U * 5 * (41 + 2) + 4 * 40);
  EXPECT_GT(checked.interpreter, plain.interpreter);
  job.traceBlock = Dim3{0, 0, 0};
  job.traceBytes = 1000;
  EXPECT_EQ(device->hostMemory(job).trace, 1000 * kTraceCopies);
  const auto threads = openSimt(2);
  EXPECT_GT(threads->hostMemory(job).interpreter, checked.interpreter) << "two blocks at a time";
}

TEST(SimtDevice, RunsAJob) {
  const auto outcome = openSimt(2)->run(scaleJob(40), {});
  ASSERT_TRUE(outcome.ok()) << toString(outcome.error());
  ASSERT_EQ(outcome.value().outputs.size(), 6u);
  EXPECT_TRUE(outcome.value().outputs[0].empty());
  EXPECT_TRUE(outcome.value().faults.empty());
  EXPECT_EQ(outcome.value().unwritten, 0u);
  EXPECT_FALSE(outcome.value().registers.has_value());
  EXPECT_FALSE(outcome.value().measurement.has_value());
  float out[40];
  ASSERT_EQ(outcome.value().outputs[1].size(), sizeof out);
  std::memcpy(out, outcome.value().outputs[1].data(), sizeof out);
  for (int i = 0; i < 40; ++i) EXPECT_EQ(out[i], 2.0F * static_cast<float>(i) + 4.0F);
}

TEST(SimtDevice, LaunchesFollowEachOtherAndJobsStartAnew) {
  Job job = scaleJob(40);
  job.launches.push_back(job.launches[0]);
  job.counters = true;
  const auto device = openSimt(1);
  for (int i = 0; i < 2; ++i) {
    const auto outcome = device->run(job, {});
    uint32_t sum = 0;
    std::memcpy(&sum, outcome.value().outputs[2].data(), 4);
    EXPECT_EQ(sum, 2u);
    EXPECT_EQ(outcome.value().counters->total.globalStore.threads, 82u);
  }
}

}  // namespace tilestep::device::simt_device_test
