// SPDX-License-Identifier: Apache-2.0
// Planted bugs. A sample: the tool `mutate` plants one at each barrier, bound and index of every
// kernel (docs/measurements/mutations.md).
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "checkers/kernel_runs.h"
#include "checkers/mutants.h"
#include "support/source_root.h"

namespace tilestep::checkers {
namespace mutation_test {

compile::KernelSource kernel(const std::string& name) {
  const std::string path = "kernels/" + name + ".cu";
  return {path, readTextFile(support::sourceRoot() + "/" + path).value(), {}};
}

/// The faults of the kernel in which `from` has become `to`.
std::vector<std::string> planted(const std::string& name, const std::string& from,
                                 const std::string& to, const Point& point) {
  compile::KernelSource source = kernel(name);
  const size_t at = source.text.find(from);
  EXPECT_NE(at, std::string::npos) << name << " has no " << from;
  if (at == std::string::npos) return {};
  source.text.replace(at, from.size(), to);
  lab::Lab lab({support::sourceRoot(), "", 1});
  const auto result = runChecked(lab, source, point);
  EXPECT_TRUE(result);
  return result ? wrongsOf(*result) : std::vector<std::string>{};
}

bool tells(const std::vector<std::string>& wrongs, const std::string& what) {
  return std::any_of(wrongs.begin(), wrongs.end(), [&](const std::string& wrong) {
    return wrong.find(what) != std::string::npos;
  });
}

const Point kOdd{{{"m", 37}, {"n", 45}, {"k", 29}}, {}};

TEST(PlantedBugs, ATiledProductWithoutItsFirstBarrier) {
  const auto wrongs = planted("matmul_tiled", "__syncthreads();", ";", kOdd);
  EXPECT_TRUE(tells(wrongs, "read-after-write: line 94 reads what line 81 writes; no barrier"));
}

TEST(PlantedBugs, ATileOfOneWarpIsARaceToo) {
  // The result may stay right by luck.
  const auto wrongs = planted("matmul_tiled", "__syncthreads();", ";",
                              {{{"m", 8}, {"n", 8}, {"k", 8}}, {{"TILE_WIDTH", 4}}});
  EXPECT_TRUE(tells(wrongs, "read-after-write"));
}

TEST(PlantedBugs, AWarpSynchronousSumWithoutWarpBarriers) {
  compile::KernelSource source = kernel("reduce_unroll_warp");
  for (size_t at = source.text.find("__syncwarp();"); at != std::string::npos;
       at = source.text.find("__syncwarp();")) {
    source.text.replace(at, 13, ";");
  }
  lab::Lab lab({support::sourceRoot(), "", 1});
  const auto result = runChecked(lab, source, {{{"n", 5003}}, {}});
  ASSERT_TRUE(result);
  EXPECT_TRUE(tells(wrongsOf(*result), "lanes of one warp are in no order either"));
}

TEST(PlantedBugs, ABoundThatLandsInTheNextRow) {
  const auto wrongs =
      planted("matmul_tiled", "row < m && ph * TILE_WIDTH + tx < k", "row < m", kOdd);
  EXPECT_TRUE(tells(wrongs, "outside-row: column 29 of a 29-wide row reads M[1][0]"));
}

TEST(PlantedBugs, ASumThatBeginsWithNothing) {
  for (const auto& [name, from, to] :
       {std::tuple{"matmul_naive", "float Pvalue = 0.0f;", "float Pvalue;"},
        {"matmul_tiled", "float Pvalue = 0.0f;", "float Pvalue;"},
        {"matmul_tiled_free", "Pvalue[j] = 0.0f;", "Pvalue[j + 1] = 0.0f;"}}) {
    EXPECT_TRUE(tells(planted(name, from, to, kOdd), "a value")) << name;
  }
}

TEST(PlantedBugs, ABoundMovedByOneInTheNaiveProduct) {
  const auto wrongs = planted("matmul_naive", "col < n", "col <= n", kOdd);
  EXPECT_TRUE(tells(wrongs, "outside-row: column 45 of a 45-wide row writes P[1][0]"));
}

TEST(Mutants, AreMadeOfBarriersBoundsAndIndices) {
  const auto mutants = mutantsOf(kernel("matmul_tiled"));
  const auto count = [&](const std::string& what) {
    return std::count_if(mutants.begin(), mutants.end(),
                         [&](const Mutant& mutant) { return mutant.what == what; });
  };
  EXPECT_EQ(count("barrier removed"), 2);
  EXPECT_EQ(count("condition dropped"), 6);
  EXPECT_GT(count("index + 1"), 10);
  for (const Mutant& mutant : mutants) EXPECT_NE(mutant.before, mutant.after);
}

}  // namespace mutation_test
}  // namespace tilestep::checkers
