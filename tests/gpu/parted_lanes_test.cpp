// SPDX-License-Identifier: Apache-2.0
// Requests and sectors by the hardware's counters compared with those counted in the PTX, for
// kernels that diverge and for all shipped kernels, at odd sizes. Prints a table.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gpu/gpu_job.h"
#include "lab/figures.h"
#include "lab/lab.h"
#include "support/parted.h"

namespace tilestep::test::parted_lanes_test {

constexpr const char* kCompared[] = {"global_load_requests", "global_load_sectors",
                                     "global_store_requests", "global_store_sectors"};

using Counts = std::map<std::string, double>;

Counts countedIn(const lab::RunResult& result) {
  Counts counts;
  if (!result.counters) return counts;
  for (const lab::NamedCount& count : lab::namedCounts(result.counters->total))
    counts[count.name] = static_cast<double>(count.value);
  return counts;
}

struct Range {
  double least = 1e300, most = 0;
  size_t counters = 0, equal = 0;
};

class PartedLanes : public ::testing::Test {
 protected:
  void SetUp() override { TILESTEP_SKIP_WITHOUT_GPU(); }

  std::optional<lab::RunResult> run(support::PartedLaunch launch, const std::string& device) {
    lab::Experiment experiment;
    experiment.source = launch.source;
    experiment.sizes = launch.sizes;
    experiment.device = device;
    experiment.counters = true;
    experiment.measure = experiment.check = false;
    experiment.hardware = device != "simt";
    Result<lab::RunResult> result = lab_.run(experiment, {}, {});
    EXPECT_TRUE(result.ok()) << toString(result.error());
    return result ? std::optional(std::move(*result)) : std::nullopt;
  }

  /// One row of the table. Counts that are not marked must be equal.
  void compare(const lab::RunResult& gpu, const Counts& interpreted) {
    const Counts counted = countedIn(gpu);
    const std::vector<std::string> marked = lab::uncertainNames(gpu.uncertain);
    for (const char* name : kCompared) {
      const device::HardwareFigure* figure = gpu.hardware->find(name);
      ASSERT_NE(figure, nullptr) << name;
      const double ours = counted.at(name);
      const bool isMarked = std::ranges::count(marked, name) > 0;
      std::printf(" %12.0f %10.0f%s", figure->value, ours, isMarked ? "?" : " ");
      if (!isMarked) {
        EXPECT_EQ(figure->value, ours) << name << " is not marked";
        EXPECT_EQ(interpreted.at(name), ours) << name << " in the interpreter";
        ++certain_;
        continue;
      }
      Range& range = ranges_[whyOf(gpu, name)];
      ++range.counters;
      if (figure->value == ours) ++range.equal;
      if (ours == 0) continue;
      range.least = std::min(range.least, figure->value / ours);
      range.most = std::max(range.most, figure->value / ours);
    }
  }

  static lab::UncertainCounts::Why whyOf(const lab::RunResult& result, const std::string& name) {
    const auto counts = std::ranges::find_if(result.uncertain, [&](const auto& each) {
      return std::ranges::count(each.counters, name) > 0;
    });
    return counts->why;
  }

  lab::Lab lab_{{homeFolder(), "", 0}};
  size_t certain_ = 0;
  std::map<lab::UncertainCounts::Why, Range> ranges_;
};

TEST_F(PartedLanes, UnmarkedCountsEqualTheHardwaresAndMostMarkedOnesDiffer) {
  std::printf("%-48s %23s %24s %24s %24s\n", "hardware, counted (?: marked)", "load requests",
              "load sectors", "store requests", "store sectors");
  std::vector<support::PartedLaunch> launches = support::partedKernels(homeFolder());
  ASSERT_GE(launches.size(), 40U);
  for (support::PartedLaunch& shipped : support::shippedLaunches(homeFolder()))
    launches.push_back(std::move(shipped));
  for (const support::PartedLaunch& launch : launches) {
    SCOPED_TRACE(launch.name);
    const auto gpu = run(launch, "cuda:0");
    const auto simt = run(launch, "simt");
    if (!gpu || !simt) continue;
    ASSERT_TRUE(gpu->hardware);
    if (!gpu->hardware->refused.empty()) return skipRefused(gpu->hardware->refused);
    EXPECT_EQ(gpu->uncertain, simt->uncertain);
    std::printf("%-48s", launch.name.c_str());
    compare(*gpu, countedIn(*simt));
    std::printf("\n");
  }
  std::printf("%zu counters are not marked\n", certain_);
  size_t marked = 0, equal = 0;
  for (const auto& [why, range] : ranges_) {
    std::printf(
        "reason %d: %zu counters are marked, %zu of them equal the hardware's; hardware / "
        "counted from %.3f to %.3f\n",
        static_cast<int>(why), range.counters, range.equal, range.least, range.most);
    // The machine decides how often a loop waits, so two runs may agree by chance.
    if (why == lab::UncertainCounts::Why::waits) continue;
    marked += range.counters;
    equal += range.equal;
  }
  EXPECT_LE(4 * equal, marked) << "the marks are too many";
}

}  // namespace tilestep::test::parted_lanes_test
