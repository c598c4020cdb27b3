// SPDX-License-Identifier: Apache-2.0
#include "grade/hidden_launches.h"

#include <algorithm>
#include <set>

#include "base/launch.h"
#include "support/results.h"
#include "support/source_root.h"
#include "unit/grade/specs.h"

namespace tilestep::grade::hidden_launches_test {

Rules drawing(size_t count) {
  Rules rules;
  rules.drawn = count;
  return rules;
}

TEST(HiddenLaunches, DependOnlyOnTheSeed) {
  const compile::Spec spec = sumSpec();
  const auto once = hiddenLaunches(spec.kernel, drawing(8), 42);
  const auto again = hiddenLaunches(spec.kernel, drawing(8), 42);
  const auto other = hiddenLaunches(spec.kernel, drawing(8), 43);
  ASSERT_TRUE(once && again && other);
  EXPECT_EQ(*once, *again);
  EXPECT_EQ(once->size(), 8U);
  for (size_t i = 0; i < once->size(); ++i) EXPECT_NE((*once)[i].seed, (*other)[i].seed);
}

TEST(HiddenLaunches, HideResultsOfRandomData) {
  compile::KernelSpec kernel;
  kernel.operands.resize(2);
  kernel.operands[0].name = "x";
  kernel.operands[1].direction = Direction::out;
  kernel.operands[1].expect = "2 * x(i)";
  EXPECT_TRUE(hidesResults(kernel));
  kernel.operands[1].expect = "2 * i + max(i, 1)";
  EXPECT_FALSE(hidesResults(kernel)) << "x takes no part";
  kernel.reference = "matmul";
  EXPECT_TRUE(hidesResults(kernel));
  kernel.operands[0].fill = Fill::index;
  EXPECT_FALSE(hidesResults(kernel)) << "x is known";
}

TEST(HiddenLaunches, NamedLaunchesComeFirstAndKeepTheirSizes) {
  const compile::Spec spec = sumSpec();
  Rules rules = drawing(2);
  rules.launches.push_back({{{"m", 7}}, {{"BLOCK", 8}}});
  const auto launches = hiddenLaunches(spec.kernel, rules, 1);
  ASSERT_TRUE(launches.ok());
  ASSERT_EQ(launches->size(), 3U);
  EXPECT_EQ((*launches)[0].sizes, (compile::Bindings{{"m", 7}, {"n", 100}}));
  EXPECT_EQ((*launches)[0].tunables, (compile::Bindings{{"BLOCK", 8}}));
}

TEST(HiddenLaunches, CoverSizesThatKernelsGetWrong) {
  const compile::Spec spec = sumSpec();
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    const auto launches = hiddenLaunches(spec.kernel, drawing(8), seed);
    ASSERT_TRUE(launches.ok());
    const auto any = [&](auto holds) { return std::ranges::any_of(*launches, holds); };
    EXPECT_TRUE(any([](const HiddenLaunch& l) { return l.sizes.at("m") != l.sizes.at("n"); }));
    EXPECT_TRUE(any([](const HiddenLaunch& l) {
      return l.sizes.at("m") % l.tunables.at("BLOCK") != 0 &&
             l.sizes.at("m") > l.tunables.at("BLOCK");
    })) << seed;
    EXPECT_TRUE(any([](const HiddenLaunch& l) {
      return l.sizes.at("m") * l.sizes.at("n") > 65536;  // 16-bit indices overflow.
    })) << seed;
    EXPECT_TRUE(any([](const HiddenLaunch& l) { return l.tunables.at("BLOCK") != 16; }));
    EXPECT_TRUE(any([](const HiddenLaunch& l) { return l.tunables.at("BLOCK") == 16; }));
    EXPECT_TRUE(
        any([](const HiddenLaunch& l) { return std::min(l.sizes.at("m"), l.sizes.at("n")) == 1; }));
    std::set<uint64_t> seeds;
    for (const HiddenLaunch& launch : *launches) seeds.insert(launch.seed);
    EXPECT_EQ(seeds.size(), launches->size());
  }
}

TEST(HiddenLaunches, AreSmallAndLegalForEveryKernelThatCanBeGraded) {
  const std::string folder = support::sourceRoot() + "/kernels";
  size_t graded = 0;
  for (const compile::CatalogueEntry& entry : compile::readCatalogue(folder)) {
    if (!entry.spec || !compile::isCheckable(*entry.spec)) continue;
    const auto launches = valueOrThrow(hiddenLaunches(*entry.spec, drawing(8), 7));
    EXPECT_GE(launches.size(), 3U) << entry.source.path;
    EXPECT_LE(
        std::ranges::count_if(launches, [](const HiddenLaunch& l) { return l.elements > 60'000; }),
        1)
        << entry.source.path;
    for (const HiddenLaunch& launch : launches) {
      EXPECT_LE(launch.operations, 2e6) << entry.source.path;
      EXPECT_LE(launch.elements, 400'000U) << entry.source.path;
      EXPECT_TRUE(compile::plan(*entry.spec, launch.sizes, launch.tunables, Limits{}).ok());
    }
    ++graded;
  }
  EXPECT_GT(graded, 20U);
}

TEST(HiddenLaunches, SomeHaveFewResidentBlocksIfTheGridOutgrowsAGpu) {
  const auto few = [](const compile::KernelSpec& kernel, size_t drawn = 12) {
    const auto launches = hiddenLaunches(kernel, drawing(drawn), 3);
    EXPECT_TRUE(launches.ok());
    return std::ranges::count_if(
        *launches, [](const HiddenLaunch& launch) { return launch.order >> 63 != 0; });
  };
  compile::Spec spec = sumSpec();
  EXPECT_GE(few(spec.kernel), 3);
  EXPECT_LE(few(spec.kernel), 4) << "one in four, and the largest";
  EXPECT_EQ(few(spec.kernel, 2), 1);
  // The rules allow sizes of up to 16 thousand blocks here.
  spec.kernel.rules.push_back({"m * n < 5000000", "They are small."});
  EXPECT_GE(few(spec.kernel), 3);
  spec.kernel.launches.at(0).grid = {"8"};
  EXPECT_EQ(few(spec.kernel), 0);
}

TEST(HiddenLaunches, TryEveryValueOfASmallTunable) {
  compile::Spec spec = sumSpec();
  auto& block = spec.kernel.tunables.at(0);
  block.values = {4, 8, 16, 24, 32};
  block.names.clear();
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const auto launches = hiddenLaunches(spec.kernel, drawing(12), seed);
    ASSERT_TRUE(launches.ok());
    std::set<int64_t> values;
    for (const HiddenLaunch& launch : *launches) values.insert(launch.tunables.at("BLOCK"));
    EXPECT_EQ(values, (std::set<int64_t>{4, 8, 16, 24, 32})) << seed;
  }
}

TEST(HiddenLaunches, MarkedCountsNeedALaunchOfSeveralBlocksAtTheDefaults) {
  const compile::Spec spec = sumSpec();
  Rules rules = drawing(1);
  rules.counts.push_back({"global_load_sectors", 1.2, 1});
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const auto launches = hiddenLaunches(spec.kernel, rules, seed);
    ASSERT_TRUE(launches.ok());
    ASSERT_EQ(launches->size(), 1U);
    const HiddenLaunch& launch = launches->front();
    EXPECT_TRUE(launch.atDefaults);
    for (const auto& [name, size] : launch.sizes) EXPECT_GT(size, 5 * 16) << name;
  }
}

TEST(HiddenLaunches, ObeyTheLargestSizeAndTheRules) {
  const compile::Spec spec = sumSpec();
  Rules rules = drawing(12);
  rules.largest = 20;
  const auto launches = hiddenLaunches(spec.kernel, rules, 5);
  ASSERT_TRUE(launches.ok());
  for (const HiddenLaunch& launch : *launches)
    for (const auto& [name, size] : launch.sizes) EXPECT_LE(size, 20);
  compile::Spec forbidding = sumSpec();
  forbidding.kernel.rules.push_back({"m > 1000000", "m is too small"});
  EXPECT_TRUE(fails(hiddenLaunches(forbidding.kernel, drawing(8), 1), "name some"));
}

}  // namespace tilestep::grade::hidden_launches_test
