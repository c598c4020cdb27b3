// SPDX-License-Identifier: Apache-2.0
#include "lab/job.h"

#include <gtest/gtest.h>

#include <utility>

#include "support/results.h"

namespace tilestep::lab::job_test {

device::DeviceInfo gpu(const char* capability) {
  device::DeviceInfo info;
  info.name = "Some GPU";
  info.computeCapability = capability;
  return info;
}

TEST(Arch, FollowsFromTheKernelAndTheDevice) {
  EXPECT_EQ(*archFor({}, {}), "compute_75");
  for (const auto& [capability, arch] :
       {std::pair{"9.0", "compute_75"}, {"12.0", "compute_75"}, {"6.1", "compute_61"}})
    EXPECT_EQ(*archFor({}, gpu(capability)), arch);
  compile::KernelSpec spec;
  spec.name = "wide";
  spec.needsNewerGpu = true;
  EXPECT_EQ(*archFor(spec, {}), "compute_80");
  EXPECT_EQ(*archFor(spec, gpu("9.0")), "compute_80");
  EXPECT_EQ(*archFor(spec, gpu("7.5")), "compute_75");
  spec.arch = "compute_75";
  EXPECT_EQ(*archFor(spec, gpu("9.0")), "compute_75");
  spec.arch = "compute_90a";
  EXPECT_EQ(*archFor(spec, gpu("9.0")), "compute_90a");
  EXPECT_TRUE(fails(archFor(spec, gpu("8.0")), ErrorKind::request, "8.0"));
  EXPECT_TRUE(hasAsyncCopies("compute_90a") && hasAsyncCopies("compute_80"));
  EXPECT_FALSE(hasAsyncCopies("compute_75"));
}

struct JobCase : testing::Test {
  JobCase() {
    auto built = std::make_shared<ptx::Module>();
    ptx::Function entry;
    entry.name = "k";
    entry.isEntry = true;
    entry.variables.push_back(shared("_ZZ1kE3Mds", 1024));
    entry.variables.push_back(shared("_ZZ1kE3Nds", 1024));
    built->variables.push_back(shared("dynamic", 0));
    ptx::Operand use;
    use.kind = ptx::Operand::Kind::symbol;
    use.name = "dynamic";
    entry.body.emplace_back().operands.push_back(use);
    built->functions.push_back(entry);
    compiled.module = built;
    plan.launches.push_back({"k", {4, 2, 1}, {16, 16, 1}, 0});
  }
  static ptx::Variable shared(const std::string& name, uint64_t bytes) {
    ptx::Variable variable;
    variable.name = name;
    variable.space = ptx::Space::shared;
    variable.elements = bytes;
    variable.alignment = 16;
    return variable;
  }
  compile::Compiled compiled;
  compile::Plan plan;
};

TEST_F(JobCase, ABlockOutsideTheGridIsRefused) {
  Experiment experiment;
  experiment.traceBlock = Dim3{3, 1, 0};
  EXPECT_TRUE(makeJob(experiment, plan, compiled));
  experiment.traceBlock = Dim3{4, 1, 0};
  const auto refused = makeJob(experiment, plan, compiled);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "the grid has no block 4,1,0; its last block is 3,1,0");
}

TEST_F(JobCase, SharedArraysAreFoundBySymbolAndSlicesFollowThem) {
  plan.shared = {{"Mds", "M", 16, 16, -1}, {"Nds", "N", 16, 16, -1}};
  const auto arrays = sharedArraysOf(plan, *compiled.module);
  ASSERT_EQ(arrays.size(), 2U);
  EXPECT_EQ(arrays[1].name, "Nds");
  EXPECT_EQ(arrays[1].offset, 1024U);
  EXPECT_EQ(arrays[1].bytes, 1024U);
  EXPECT_EQ(arrays[1].columns, 16U);
  plan.shared = {{"A", "M", 4, 8, 0}, {"B", "N", 8, 4, 128}};
  const auto slices = sharedArraysOf(plan, *compiled.module);
  ASSERT_EQ(slices.size(), 2U);
  EXPECT_EQ(slices[0].offset, 2048U);
  EXPECT_EQ(slices[1].offset, 2048U + 128U);
  plan.shared = {{"Mds", "M", 16, 16, -1}, {"ds", "N", 16, 16, -1}};
  EXPECT_TRUE(sharedArraysOf(plan, *compiled.module).empty()) << "the PTX has no ds";
}

TEST_F(JobCase, OperandsKeepTheirOrderAndValues) {
  compile::ResolvedOperand buffer, scalar;
  buffer.spec.name = "M";
  buffer.rows = 3;
  buffer.columns = 4;
  buffer.elements = 12;
  scalar.spec.name = "m";
  scalar.spec.kind = OperandKind::scalar;
  scalar.spec.type = ElementType::i32;
  scalar.scalar = 3;
  plan.operands = {buffer, scalar};
  const auto operands = operandsOf(plan);
  ASSERT_EQ(operands.size(), 2U);
  EXPECT_EQ(operands[0].bytes(), 48U);
  EXPECT_EQ(operands[1].scalar, 3);
  EXPECT_EQ(operands[1].kind, OperandKind::scalar);
}

}  // namespace tilestep::lab::job_test
