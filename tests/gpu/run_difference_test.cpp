// SPDX-License-Identifier: Apache-2.0
// Results that differ from run to run: the location and the message. Needs no GPU.
#include "device/cuda/run_difference.h"

#include <gtest/gtest.h>

#include "ptx/text/parser.h"
#include "support/results.h"

namespace tilestep::cuda::run_difference_test {

device::Job jobOf(uint64_t elements) {
  device::Job job;
  device::Operand in, out;
  in.name = "M";
  in.elements = 4;
  out.name = "P";
  out.direction = Direction::out;
  out.elements = elements;
  job.operands = {in, out};
  return job;
}

Outputs outputsOf(const std::vector<float>& values) {
  const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
  return {{}, {bytes, bytes + values.size() * sizeof(float)}};
}

std::shared_ptr<const ptx::Module> moduleWith(const std::string& instruction) {
  Result<ptx::Module> module = ptx::parse(
      ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry test(.param .u64 p)\n{\n"
      ".reg .b32 %r<3>;\n.reg .f32 %f<3>;\n.reg .f64 %d<3>;\n.reg .b64 %a<2>;\n"
      "ld.param.u64 %a1, [p];\n" +
          instruction + "\nret;\n}\n",
      "test");
  EXPECT_TRUE(module.ok()) << toString(module.error());
  return module ? std::make_shared<const ptx::Module>(std::move(*module)) : nullptr;
}

TEST(RunDifference, NamesTheOperandTheFirstElementAndTheCount) {
  const device::Job job = jobOf(5);
  EXPECT_FALSE(differenceOf(job, outputsOf({1, 2, 3, 4, 5}), outputsOf({1, 2, 3, 4, 5})));
  const auto found = differenceOf(job, outputsOf({1, 2, 3, 4, 5}), outputsOf({1, 2, 9, 4, 8}));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->operand, "P");
  EXPECT_EQ(found->first, 2U);
  EXPECT_EQ(found->count, 2U);
  EXPECT_EQ(found->elements, 5U);
}

TEST(RunDifference, KnowsAtomicsWhoseOrderRounds) {
  EXPECT_TRUE(addsFloatsAtomically(*moduleWith("atom.global.add.f32 %f1, [%a1], %f2;")));
  EXPECT_TRUE(addsFloatsAtomically(*moduleWith("red.global.add.f64 [%a1], %d2;")));
  EXPECT_FALSE(addsFloatsAtomically(*moduleWith("atom.global.add.u32 %r1, [%a1], %r2;")));
  EXPECT_FALSE(addsFloatsAtomically(*moduleWith("add.f32 %f1, %f1, %f2;")));
}

TEST(RunDifference, TheFindingNamesTheDifferingRunsAndTheRemedy) {
  device::Job job = jobOf(1000);
  const RunDifference difference{"P", 17, 12, 1000};
  job.module = moduleWith("add.u32 %r1, %r1, 1;");
  const device::Fault own = differingResults(job, "scan", "counting", true, difference);
  EXPECT_EQ(own.kind, "results-differ");
  EXPECT_EQ(own.count, 12U);
  EXPECT_EQ(own.message,
            "The results of scan differ from run to run (P: 12 of 1,000 elements, the first "
            "P[17]): likely a race. Look for it in the interpreter with --device simt --check.");
  const device::Fault rewritten = differingResults(job, "scan", "counting", false, difference);
  for (const char* part : {"The counting run of scan", "whose results agree", "likely a race",
                           "the rewriting is at fault", "--device simt --check"}) {
    EXPECT_TRUE(has(rewritten.message, part));
  }
  job.module = moduleWith("atom.global.add.u32 %r1, [%a1], %r2;");
  EXPECT_TRUE(has(differingResults(job, "scan", "counting", true, difference).message,
                  "depends on the order of its atomics"));
}

}  // namespace tilestep::cuda::run_difference_test
