// SPDX-License-Identifier: Apache-2.0
// A library product without a GPU is refused, with advice.
#include "lab/library.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/library_product.h"
#include "compile/front_matter/library_kernel.h"
#include "lab/figures.h"
#include "lab/lab.h"
#include "support/results.h"
#include "support/source_root.h"

namespace tilestep::lab::library_test {

Experiment product(std::string_view name) {
  Experiment experiment;
  experiment.source = *compile::libraryKernel(std::string(name));
  experiment.device = "simt";
  return experiment;
}

device::DeviceInfo gpu(const std::string& recordedOn = {}) {
  device::DeviceInfo info;
  info.id = "cuda:0";
  info.computeCapability = "9.0";
  info.recordedOn = recordedOn;
  return info;
}

void expectRefused(const Status& status, const std::string& words) {
  ASSERT_TRUE(fails(status, ErrorKind::request, words));
}

TEST(Library, TheInterpreterRefusesIt) {
  Lab lab{{support::sourceRoot(), "", 1}};
  for (const std::string_view name : kLibraryProducts) {
    EXPECT_TRUE(fails(lab.run(product(name), {}, {}), ErrorKind::request, "runs only on a GPU"));
  }
}

TEST(Library, HasNoStepsAndNoCheckOnARecording) {
  Experiment experiment = product(kCublasFp32);
  EXPECT_TRUE(checkLibrary(experiment, gpu()));
  experiment.counters = experiment.timeline = experiment.timings = true;
  EXPECT_FALSE(withoutInstructions(experiment).counters);
  EXPECT_FALSE(withoutInstructions(experiment).timeline);
  EXPECT_FALSE(withoutInstructions(experiment).timings);
  experiment.traceBlock = Dim3{0, 0, 0};
  expectRefused(checkLibrary(experiment, gpu()), "shows no steps");
  Experiment checked = product(kCublasFp32);
  EXPECT_TRUE(checkLibrary(checked, gpu("2026-11-21")));
  checked.check = true;
  EXPECT_TRUE(checkLibrary(checked, gpu()));
  expectRefused(checkLibrary(checked, gpu("2026-11-21")), "cannot be checked on a recording");
}

TEST(Library, OtherSourcesUnderItsNameAreRefused) {
  // The source's operands would tell the library where to write.
  Experiment experiment = product(kCublasFp32);
  const size_t at = experiment.source.text.find("rows = \"m\"");
  ASSERT_NE(at, std::string::npos);
  experiment.source.text.replace(at, 10, "rows = \"1\"");
  expectRefused(checkLibrary(experiment, gpu()), "a source cannot be given for it");
}

TEST(Library, HasNeitherOccupancyNorLaunches) {
  RunResult result;
  result.kernel = std::string(kCublasFp32);
  result.plan.launches.push_back({});
  device::DeviceInfo info = gpu();
  info.threadsPerMultiprocessor = 2048;
  info.multiprocessors = 132;
  info.blocksPerMultiprocessor = 32;
  EXPECT_FALSE(occupancyOf(info, result));
  EXPECT_TRUE(nlohmann::json::parse(toJson(result))["launch"].is_null());
}

}  // namespace tilestep::lab::library_test
