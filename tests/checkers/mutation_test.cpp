// SPDX-License-Identifier: Apache-2.0
// A sample of planted bugs. The tool `mutate` plants one at each barrier, bound and index of every
// kernel (docs/measurements/mutations.md).
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "checkers/kernel_runs.h"
#include "checkers/mutants.h"
#include "support/results.h"
#include "support/source_root.h"

namespace tilestep::checkers::mutation_test {

compile::KernelSource kernel(const std::string& name) {
  const std::string path = "kernels/" + name + ".cu";
  return {path, readTextFile(support::sourceRoot() + "/" + path).value(), {}};
}

/// The kernel with `from` replaced by `to`: once, or `everywhere`.
compile::KernelSource changed(const std::string& name, const std::string& from,
                              const std::string& to, bool everywhere) {
  compile::KernelSource source = kernel(name);
  size_t at = source.text.find(from);
  EXPECT_NE(at, std::string::npos) << name << " has no " << from;
  for (; at != std::string::npos; at = everywhere ? source.text.find(from) : std::string::npos)
    source.text.replace(at, from.size(), to);
  return source;
}

/// In seconds; a busy machine may need long.
constexpr double kPatience = 120;

const Point kOdd{{{"m", 37}, {"n", 45}, {"k", 29}}, {}};

TEST(PlantedBugs, AreFound) {
  const Point oneWarp{{{"m", 8}, {"n", 8}, {"k", 8}}, {{"TILE_WIDTH", 4}}};
  const struct {
    const char *what, *kernel, *from, *to, *finding;
    Point point = kOdd;
    bool everywhere = false;
  } bugs[] = {
      {"no first barrier", "matmul_tiled", "__syncthreads();", ";",
       "read-after-write: line 94 reads what line 81 writes; no barrier"},
      {"no first barrier, one warp: the result may stay right by luck", "matmul_tiled",
       "__syncthreads();", ";", "read-after-write", oneWarp},
      {"no warp barriers",
       "reduce_unroll_warp",
       "__syncwarp();",
       ";",
       "lanes of one warp are not ordered either",
       {{{"n", 5003}}, {}},
       true},
      {"a bound that lands in the next row", "matmul_tiled", "row < m && ph * TILE_WIDTH + tx < k",
       "row < m", "outside-row: column 29 of a 29-wide row reads M[1][0]"},
      {"a bound moved by one", "matmul_naive", "col < n", "col <= n",
       "outside-row: column 45 of a 45-wide row writes P[1][0]"},
      {"a sum without a first value", "matmul_naive", "float Pvalue = 0.0f;", "float Pvalue;",
       "a value"},
      {"a sum without a first value", "matmul_tiled", "float Pvalue = 0.0f;", "float Pvalue;",
       "a value"},
      {"one of several sums without a first value", "matmul_tiled_free", "Pvalue[j] = 0.0f;",
       "Pvalue[j + 1] = 0.0f;", "a value"},
  };
  for (const auto& bug : bugs) {
    SCOPED_TRACE(std::string(bug.kernel) + ": " + bug.what);
    lab::Lab lab({support::sourceRoot(), "", 1});
    const auto result = valueOrThrow(runChecked(
        lab, changed(bug.kernel, bug.from, bug.to, bug.everywhere), bug.point, kPatience));
    std::string findings;
    for (const std::string& wrong : wrongsOf(result)) findings += wrong + "\n";
    EXPECT_TRUE(has(findings, bug.finding));
  }
}

TEST(Mutants, ChangeBarriersBoundsAndIndices) {
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

}  // namespace tilestep::checkers::mutation_test
