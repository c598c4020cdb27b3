// SPDX-License-Identifier: Apache-2.0
// The times of the shipped labs in the shipped recording, and how near the predictions come.
// Prints a table.
#include <gtest/gtest.h>

#include <cstdio>
#include <set>

#include "features/lab_times/times.h"
#include "lab/lab.h"
#include "model/counted_work.h"
#include "support/source_root.h"

namespace tilestep::model {
namespace shipped_lab_times_test {

/// In at least so many of the labs that show times, most kernels come near their predictions.
constexpr size_t kLeastNearLabs = 4;

TEST(ShippedLabTimes, AreRecordedAndInMostLabsAsPredicted) {
  const std::string home = support::sourceRoot();
  lab::Lab runner({home, "", 1});
  std::set<std::string> timed, isNearIn;
  for (const Lab& lab : readLabs(home, compile::readCatalogue(home + "/kernels"))) {
    size_t rows = 0, near = 0;
    for (const LabKernel& kernel : lab.kernels) {
      if (kernel.timedSizes.empty()) continue;
      const auto source = compile::findKernel(home + "/kernels", kernel.name);
      ASSERT_TRUE(source) << kernel.name;
      lab::Experiment experiment;
      experiment.source = *source;
      experiment.sizes = kernel.timedSizes;
      experiment.tunables = timedTunablesOf(kernel);
      experiment.device = "recorded:nvidia-h200";
      experiment.onlyRecorded = experiment.counters = true;
      experiment.traceBlock = Dim3{0, 0, 0};
      const Result<lab::RunResult> result = runner.run(experiment, {}, {});
      ASSERT_TRUE(result) << lab.id << " " << kernel.name << ": " << toString(result.error());
      ASSERT_TRUE(result->counters) << lab.id << " " << kernel.name;
      const LabTime time = labTimeOf(kernel, *result, countedWorkOf(*result), nullptr);
      ASSERT_TRUE(time.measuredSeconds) << lab.id << " " << kernel.name << ": " << time.gap;
      ASSERT_TRUE(time.ratio()) << lab.id << " " << kernel.name;
      std::printf("%-16s %-28s %-36s %10.4f ms %10.4f ms %6.2f %s\n", lab.id.c_str(),
                  kernel.name.c_str(), time.tunables.c_str(), *time.measuredSeconds * 1e3,
                  *time.predictedSeconds * 1e3, *time.ratio(),
                  metrics::toText(*time.limit));
      ++rows;
      near += isNear(*time.ratio()) ? 1 : 0;
    }
    if (rows > 0) timed.insert(lab.id);
    if (rows > 0 && 2 * near > rows) isNearIn.insert(lab.id);
  }
  EXPECT_GE(timed.size(), 6U);
  EXPECT_GE(isNearIn.size(), kLeastNearLabs);
}

}  // namespace shipped_lab_times_test
}  // namespace tilestep::model
