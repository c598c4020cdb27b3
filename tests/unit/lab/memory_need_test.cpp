// SPDX-License-Identifier: Apache-2.0
#include "lab/run/memory_need.h"

#include <gtest/gtest.h>

#include "device/fill.h"

namespace tilestep::lab::memory_need_test {

/// Needs fixed amounts, and four bytes for each byte of a trace.
class FakeDevice : public device::Device {
 public:
  [[nodiscard]] const device::DeviceInfo& info() const override { return info_; }
  Result<device::Outcome> run(const device::Job&, const device::Cancelled&) override {
    return workError("nothing runs here");
  }
  [[nodiscard]] device::HostMemory hostMemory(const device::Job& job) const override {
    device::HostMemory memory{1000, 200, 30, 0};
    if (job.traceBlock) memory.trace = device::kTraceCopies * job.traceBytes;
    return memory;
  }

 private:
  device::DeviceInfo info_;
};

compile::ResolvedOperand buffer(const std::string& name, Direction direction, uint64_t elements) {
  compile::ResolvedOperand operand;
  operand.spec.name = name;
  operand.spec.direction = direction;
  operand.elements = elements;
  return operand;
}

class MemoryNeedTest : public testing::Test {
 protected:
  MemoryNeedTest() {
    spec.name = "product";
    plan.operands = {buffer("M", Direction::in, 10'000'000), buffer("N", Direction::in, 20'000'000),
                     buffer("P", Direction::out, 30'000'000)};
  }
  [[nodiscard]] uint64_t checkBytes() const { return memoryNeed(spec, plan, job, device).check; }

  FakeDevice device;
  compile::KernelSpec spec;
  compile::Plan plan;
  device::Job job;
};

TEST_F(MemoryNeedTest, UncheckedRunsNeedOnlyTheDevicesMemory) {
  EXPECT_EQ(memoryNeed(spec, plan, job, device).job.total(), 1230U);
  job.outputs = false;
  EXPECT_EQ(memoryNeed(spec, plan, job, device).most(), 1230U);
}

TEST_F(MemoryNeedTest, ChecksNeedReferenceOperandsOrFormulaInputsAsDoubles) {
  job.check = true;
  EXPECT_EQ(checkBytes(), 0U) << "there is no reference";
  spec.reference = "matmul";
  EXPECT_EQ(checkBytes(), device::kPieceBytes + 8 * 60'000'000);
  spec.reference = "transpose";
  EXPECT_EQ(checkBytes(), device::kPieceBytes + 8 * 40'000'000);
  const MemoryNeed need = memoryNeed(spec, plan, job, device);
  EXPECT_EQ(need.outputs, 4U * 30'000'000);
  EXPECT_EQ(need.most(), need.outputs + need.check) << "inputs are released before the check";
  spec.reference.clear();
  plan.operands[2].spec.expect = "i + 1";
  EXPECT_EQ(checkBytes(), device::kPieceBytes);
  plan.operands[2].spec.expect = "M(i)";
  EXPECT_EQ(checkBytes(), device::kPieceBytes + 8 * 10'000'000);
  plan.operands[2].spec.expect = "M.sum(0, i) + N(i)";
  EXPECT_EQ(checkBytes(), device::kPieceBytes + 8 * (2 * 10'000'000 + 20'000'000));
}

TEST_F(MemoryNeedTest, TooLargeJobsAreRefusedWithNeedAndLimit) {
  job.outputs = false;
  EXPECT_TRUE(fitIntoMemory(1230, spec, plan, device, job));
  const Status refused = fitIntoMemory(1229, spec, plan, device, job);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::request);
  EXPECT_EQ(
      refused.error().message,
      "product needs 1.2 KiB of memory at these sizes (operands 1000 bytes, checkers 200 "
      "bytes, interpreter 30 bytes), but only 1.2 KiB are allowed; make the sizes smaller, or "
      "allow more with --memory");
}

TEST_F(MemoryNeedTest, ATraceIsCutToTheRemainingMemory) {
  job.outputs = false;
  job.traceBlock = Dim3{0, 0, 0};
  EXPECT_TRUE(fitIntoMemory(uint64_t{1} << 30, spec, plan, device, job));
  EXPECT_EQ(job.traceBytes, size_t{64} << 20) << "all of it fits";
  EXPECT_TRUE(fitIntoMemory(1230 + (uint64_t{8} << 20), spec, plan, device, job));
  EXPECT_EQ(job.traceBytes, size_t{2} << 20);
  EXPECT_FALSE(fitIntoMemory(1230 + (uint64_t{3} << 20), spec, plan, device, job))
      << "the remaining trace would be too short";
}

}  // namespace tilestep::lab::memory_need_test
