// SPDX-License-Identifier: Apache-2.0
#include "lab/result_values.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lab/lab.h"
#include "lab/recording/recorded.h"
#include "lab/recording/recording_file.h"
#include "support/results.h"
#include "support/source_root.h"

namespace tilestep::lab::result_values_test {

using Json = nlohmann::ordered_json;

const std::string kHome = support::sourceRoot();

TEST(ResultValues, KnowThePossiblePaths) {
  for (const char* path :
       {"counters.total.global_load_threads", "counters.epochs.17.ffma", "launch.block.0",
        "launch.blocks_per_multiprocessor", "sizes.k", "tunables.TILE_WIDTH",
        "measurement.median_ms", "hardware.l2_read_sectors.value", "timeline.last_wave_blocks",
        "check.scaled_error", "device.name", "ceilings.dram_read_bytes_per_second"})
    EXPECT_TRUE(checkValuePath(path)) << path;
  for (const char* path : {"", "counters", "counters.total", "counters.total.global_load_thread",
                           "launch.block", "launch.block.x", "hardware.l2_reads.value", "sizes",
                           "sizes.m.n", "measurement.median_ms.0", "..", "ceilings.moon"})
    EXPECT_FALSE(checkValuePath(path)) << path;
  EXPECT_TRUE(has(checkValuePath("measurement.median").error().message, "measurement.median_ms"));
}

RunResult smallResult() {
  RunResult result;
  result.kernel = "matmul_tiled";
  result.device.name = "SIMT interpreter";
  result.plan.launches.resize(1);
  result.plan.launches.front().block = {16, 8, 1};
  result.counters.emplace();
  result.counters->total.ffma = 216;
  return result;
}

TEST(ResultValues, EqualTheDocuments) {
  const RunResult result = smallResult();
  const auto values = valuesOf(result, nullptr,
                               {"counters.total.ffma", "launch.block.1", "device.name",
                                "measurement.median_ms", "launch.block.3", "launch.block"});
  ASSERT_EQ(values.size(), 6U);
  EXPECT_EQ(std::get<double>(*values[0]), 216);
  EXPECT_EQ(std::get<double>(*values[1]), 8);
  EXPECT_EQ(std::get<std::string>(*values[2]), "SIMT interpreter");
  for (size_t i = 3; i < 6; ++i) EXPECT_FALSE(values[i]) << i;
  RunResult copying = smallResult();
  copying.asyncCopies = true;
  const auto copied = valuesOf(copying, nullptr, {"counters.total.ffma", "launch.block.1"});
  ASSERT_FALSE(copied[0]);
  EXPECT_EQ(copied[0].error().message, "the counters of this run exclude its asynchronous copies");
  EXPECT_TRUE(copied[1]);
  device::Ceilings ceilings;
  ceilings.fp32FlopPerSecond = 65e12;
  const auto rates = valuesOf(smallResult(), &ceilings,
                              {"ceilings.fp32_flop_per_second", "ceilings.l2_bytes_per_second"});
  EXPECT_EQ(std::get<double>(*rates[0]), 65e12);
  EXPECT_FALSE(rates[1]);
}

/// A recorded point read without compiling, and as `run --json` prints it. Except for the
/// interpreter's findings, the documents are equal.
TEST(ResultValues, ARecordedPointHasTheValuesThatRunPrints) {
  Lab lab({kHome, "", 1});
  const auto compiler = lab.compiler();
  ASSERT_TRUE(compiler) << toString(compiler.error());
  Experiment experiment;
  experiment.source = compile::findKernel(kHome + "/kernels", "matmul_tiled").value();
  experiment.sizes = {{"m", 1024}, {"n", 1024}, {"k", 1024}};
  experiment.tunables = {{"TILE_WIDTH", 16}};
  experiment.device = "recorded:nvidia-h200";
  experiment.counters = experiment.hardware = experiment.timeline = experiment.onlyRecorded = true;
  const auto ran = valueOrThrow(lab.run(experiment, {}, {}));
  const auto recording = readRecording(kHome + "/assets/recordings/nvidia-h200.tsrec");
  ASSERT_TRUE(recording);
  const auto read = valueOrThrow(
      recordedResult(*recording, experiment.source, experiment.sizes, experiment.tunables));
  Json printed = Json::parse(toJson(ran)), alone = Json::parse(toJson(read));
  for (Json* json : {&printed, &alone}) {
    json->erase("hazards");
    (*json)["device"].erase("id");
  }
  for (const auto& [key, value] : printed.items()) EXPECT_EQ(alone[key], value) << key;
  EXPECT_EQ(alone.size(), printed.size());
}

}  // namespace tilestep::lab::result_values_test
