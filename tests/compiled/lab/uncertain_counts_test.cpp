// SPDX-License-Identifier: Apache-2.0
// The counts of whole kernels that are marked as uncertain. tests/gpu/parted_lanes_test.cpp
// compares all other counts with the hardware's.
#include "lab/uncertain_counts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "lab/figures.h"
#include "lab/lab.h"
#include "ptx/text/parser.h"
#include "support/parted.h"
#include "support/results.h"
#include "support/source_root.h"
#include "support/toolkit.h"

namespace tilestep::lab::uncertain_counts_test {

class UncertainRun : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(lab.compiler()) << lab.compiler().error().message; }
  std::optional<RunResult> run(const support::PartedLaunch& launch) {
    Experiment experiment;
    experiment.source = launch.source;
    experiment.sizes = launch.sizes;
    experiment.device = "simt";
    experiment.counters = true;
    Result<RunResult> result = lab.run(experiment, {}, {});
    EXPECT_TRUE(result) << launch.name << ": " << toString(result.error());
    return result ? std::optional(std::move(*result)) : std::nullopt;
  }
  Lab lab{{support::sourceRoot(), "", 1}};
};

/// Other compilers keep more loops than NVRTC that begin at the thread's index.
TEST_F(UncertainRun, ShippedKernelsAreCertain) {
  const bool isNvrtc = support::skipWithout("nvrtc").empty();
  std::set<std::string> marked;
  for (const support::PartedLaunch& launch : support::shippedLaunches(support::sourceRoot())) {
    const auto result = run(launch);
    if (result && !result->uncertain.empty()) marked.insert(result->kernel);
  }
  if (isNvrtc) {
    EXPECT_EQ(marked, std::set<std::string>{});
  }
  for (const char* name : {"matmul_naive", "matmul_tiled", "matmul_tiled_dynamic",
                           "matmul_tiled_swapped", "transpose", "matrix_sum"}) {
    EXPECT_FALSE(marked.contains(name)) << name;
  }
}

TEST_F(UncertainRun, DivergentKernelsAreMarkedIfTheAssemblerOrScheduleDecides) {
  if (const std::string skip = support::skipWithout("nvrtc"); !skip.empty()) GTEST_SKIP() << skip;
  std::set<std::string> marked;
  for (const support::PartedLaunch& launch : support::partedKernels(support::sourceRoot())) {
    const auto result = run(launch);
    if (result && !result->uncertain.empty()) marked.insert(launch.source.entry);
  }
  EXPECT_EQ(marked,
            (std::set<std::string>{
                "average_of_neighbours", "chain", "copy_by_each_block", "counts_down",
                "goto_into_the_other_branch", "largest_by_compare_and_swap", "lengths_from_memory",
                "one_thread_of_a_block_waits", "prints_once", "stores_of_different_lengths",
                "strided_largest", "strided_sum_of_block", "switch_of_five", "tile_by_each_block",
                "triangle", "triangle_of_lanes", "two_sums_in_one_loop"}));
}

TEST_F(UncertainRun, AUniformLaunchIsCertain) {
  const auto parted = support::partedKernels(support::sourceRoot());
  const auto at = std::ranges::find(parted, "strided_sum_of_block",
                                    [](const auto& launch) { return launch.source.entry; });
  ASSERT_NE(at, parted.end());
  support::PartedLaunch launch = *at;
  const auto isCertainAt = [&](int64_t n) {
    launch.sizes["n"] = n;
    const auto result = run(launch);
    return result && result->uncertain.empty();
  };
  EXPECT_TRUE(isCertainAt(15 * 96)) << "all lanes go round 15 times";
  EXPECT_TRUE(isCertainAt(15 * 96 + 32)) << "those of one warp go round 16 times";
  EXPECT_FALSE(isCertainAt(15 * 96 + 16)) << "half of them do";
}

TEST(UncertainCounts, ALoopCountsOnlyIfItsLanesDivergedThere) {
  const auto module = valueOrThrow(
      ptx::parse(".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n"
                 ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .pred %p<3>;\nmov.u32 %r1, %tid.x;\n"
                 "L: ld.global.u32 %r2, [%rd1];\nadd.u32 %r1, %r1, 4;\nsetp.lt.u32 %p1, %r1, 99;\n"
                 "@%p1 bra L;\nret;\n}\n"));
  const trace::BranchLines nowhere, together{{13}, {}}, parted{{13}, {13}};
  const std::vector<Launch> launches{{"k", {}, {}, 0}};
  EXPECT_EQ(uncertainCountsOf(module, launches, nullptr).size(), 1U) << "as far as is known";
  EXPECT_EQ(uncertainCountsOf(module, launches, &nowhere).size(), 0U);
  EXPECT_EQ(uncertainCountsOf(module, launches, &together).size(), 0U);
  EXPECT_EQ(uncertainCountsOf(module, launches, &parted).size(), 1U);
}

TEST(UncertainCounts, ALoopThatWaitsCountsOnlyIfAWarpComesToIt) {
  const auto module = valueOrThrow(
      ptx::parse(".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n"
                 ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .pred %p<3>;\n"
                 "L: ld.volatile.global.u32 %r2, [%rd1];\nsetp.eq.u32 %p1, %r2, 0;\n"
                 "@%p1 bra L;\nret;\n}\n"));
  const trace::BranchLines nowhere, reached{{11}, {}};
  const std::vector<Launch> launches{{"k", {}, {}, 0}};
  EXPECT_EQ(uncertainCountsOf(module, launches, nullptr).size(), 1U);
  EXPECT_EQ(uncertainCountsOf(module, launches, &nowhere).size(), 0U);
  EXPECT_EQ(uncertainCountsOf(module, launches, &reached).size(), 1U);
}

TEST(UncertainCounts, AccessesOfCalledFunctionsAndCopiesAreMarked) {
  const std::string head =
      ".version 7.0\n.target sm_80\n.address_size 64\n"
      ".func stores(.param .b64 to)\n{\n.reg .b64 %rd<3>;\nld.param.u64 %rd1, [to];\n"
      "st.global.u32 [%rd1], 1;\nret;\n}\n"
      ".visible .entry k()\n{\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .pred %p<3>;\n"
      "L: ld.volatile.global.u32 %r1, [%rd1];\n";
  const std::string tail = "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra L;\nret;\n}\n";
  const auto namesOf = [&](const std::string& inside) {
    const auto module = valueOrThrow(ptx::parse(head + inside + tail));
    const auto names = uncertainNames(uncertainCountsOf(module, {{"k", {}, {}, 0}}, nullptr));
    return std::set<std::string>(names.begin(), names.end());
  };
  const auto alone = namesOf("");
  EXPECT_FALSE(alone.contains("global_store_requests"));
  EXPECT_FALSE(alone.contains("shared_store_requests"));
  EXPECT_TRUE(namesOf("{\n.param .b64 to;\nst.param.b64 [to], %rd2;\ncall.uni stores, (to);\n}\n")
                  .contains("global_store_requests"));
  EXPECT_TRUE(
      namesOf("cp.async.ca.shared.global [%r2], [%rd2], 4;\n").contains("shared_store_requests"));
}

}  // namespace tilestep::lab::uncertain_counts_test
