// SPDX-License-Identifier: Apache-2.0
// --device recorded:FILE, with a small recording made here and with the shipped one.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "lab/recording/recording_file.h"
#include "support/results.h"
#include "support/service.h"
#include "support/source_root.h"
#include "support/tool.h"
#include "system/run_support.h"
#include "unit/lab/recording_samples.h"

namespace tilestep::system_test::recorded_device_test {

using nlohmann::json;
using support::Words;

const std::string kKernels = support::sourceRoot() + "/kernels";

/// A timeline of blocks of one warp each, which two multiprocessors run in turn.
trace::Timeline timelineOf(uint32_t blocks) {
  trace::Timeline timeline = lab::sample::timeline();
  timeline.warpsPerBlock = 1;
  timeline.sm.clear();
  timeline.startNs.clear();
  timeline.endNs.clear();
  for (uint32_t i = 0; i < blocks; ++i) {
    timeline.sm.push_back(i % 2);
    timeline.startNs.push_back(uint64_t{64} * i);
    timeline.endNs.push_back(uint64_t{64} * i + 64);
  }
  timeline.busyWarpCycles.assign(blocks, 100);
  timeline.waitWarpCycles.assign(blocks, 20);
  timeline.epochBusy.assign(size_t{blocks / timeline.epochStep} * timeline.epochs, 40);
  timeline.epochWait.assign(timeline.epochBusy.size(), 10);
  return timeline;
}

/// matmul_tiled at 16 with widths 4 and 8; only width 4 has counters.
lab::DeviceRecording smallRecording() {
  lab::DeviceRecording recording = lab::sample::recording();
  const auto source = compile::findKernel(kKernels, "matmul_tiled").value();
  const auto spec = compile::parseKernel(source).value();
  recording.kernels[0].codeHash = lab::codeHashOf(source);
  recording.points = {lab::sample::point(16, 4, 0.0051), lab::sample::point(16, 8, 0.0062)};
  for (lab::RecordedPoint& point : recording.points)
    point.launchHash = lab::launchHashOf(
        compile::plan(spec, point.sizes, point.tunables, recording.device.limits).value());
  recording.points[0].machine = 1;
  recording.points[0].hardware = lab::sample::hardware();
  recording.points[0].timeline = timelineOf(16);
  recording.points[1].counters.reset();
  return recording;
}

class RecordedDevice : public testing::Test {
 protected:
  support::TemporaryFolder folder{"recorded"};
  const std::string file = folder.path("small.tsrec");

  void SetUp() override {
    ASSERT_TRUE(writeFileAtomically(file, lab::encodeRecording(smallRecording()).value()));
  }
  [[nodiscard]] Words words(const Words& more) const {
    Words all{"run", "matmul_tiled", "--device", "recorded:" + file, "--json"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  [[nodiscard]] json run(const Words& more, const Words& environment = {}) const {
    const support::Finished done = support::expectStatus(0, words(more), environment);
    return json::parse(done.out, nullptr, false);
  }
};

TEST_F(RecordedDevice, GivesARecordedPointWithItsOrigin) {
  const json at = run({"--size", "16", "--set", "TILE_WIDTH=4", "--counters", "--hardware",
                       "--timeline", "--trace", "0,0"});
  EXPECT_EQ(at["device"]["name"], "NVIDIA Test");
  EXPECT_EQ(at["device"]["recorded_on"], "2026-11-18");  // The day of the point itself.
  EXPECT_EQ(at["device"]["machine"]["number"], 1);
  EXPECT_EQ(at["device"]["machine"]["of"], 2);
  EXPECT_EQ(at["device"]["machine"]["gpu"], "0123456789abcdef");
  EXPECT_EQ(at["measurement"]["source"], "recorded");
  EXPECT_EQ(at["measurement"]["median_ms"], 0.0051);
  EXPECT_EQ(at["compiler"]["name"], "nvrtc");
  EXPECT_EQ(at["launch"]["registers"], 32);
  EXPECT_EQ(at["output_hash"], "fedcba9876543210");
  EXPECT_EQ(at["counters"]["total"]["ffma"], 4 * (100 + 17) + 4 * (200 + 17) + 7 + 17);
  EXPECT_EQ(at["counters"]["epochs"].size(), 9U);
  EXPECT_FALSE(at["counters"].contains("from"));
  EXPECT_EQ(at["hardware"]["library"], "CUPTI 13.0");
  EXPECT_EQ(at["timeline"]["tick_ns"], 32);
  EXPECT_EQ(at["trace"]["from"], "simt");
  EXPECT_FALSE(at.contains("nearest"));
}

TEST_F(RecordedDevice, MissingPartsComeFromTheInterpreterWithANote) {
  const json at = run({"--size", "16", "--set", "TILE_WIDTH=8", "--counters", "--check",
                       "--hardware", "--timeline"});
  EXPECT_EQ(at["measurement"]["median_ms"], 0.0062);
  EXPECT_TRUE(at["device"]["machine"].is_null());  // The machine of this point is unknown.
  EXPECT_EQ(at["counters"]["from"], "simt");
  EXPECT_EQ(at["counters"]["total"]["ffma"], 16 * 16 * 16);
  EXPECT_EQ(at["check"]["ok"], true);
  EXPECT_TRUE(has(at.dump(), "holds no hardware counters of this point"));
  EXPECT_TRUE(has(at["timeline"]["absent"].get<std::string>(), "no timeline"));
}

TEST_F(RecordedDevice, AMissingPointHasNoTimeAndNamesTheNearest) {
  const json at = run({"--size", "17", "--set", "TILE_WIDTH=4"});
  EXPECT_TRUE(at["measurement"].is_null());
  EXPECT_TRUE(at["output_hash"].is_null());
  EXPECT_EQ(at["nearest"]["sizes"], json({{"m", 16}, {"n", 16}, {"k", 16}}));
  EXPECT_EQ(at["nearest"]["tunables"]["TILE_WIDTH"], 4);
  const json seed = run({"--size", "16", "--set", "TILE_WIDTH=4", "--seed", "2"});
  EXPECT_TRUE(seed["measurement"].is_null());
  EXPECT_TRUE(has(seed["nearest"]["why"].get<std::string>(), "seed"));
}

TEST_F(RecordedDevice, AChangedKernelGetsNoFigures) {
  const support::HomeCopy home;
  const std::string text = home.read("kernels/matmul_tiled.cu");
  home.write("kernels/matmul_tiled.cu", support::replaced(text, "// Compute:", "// Computing:"));
  const Words point{"--size", "16", "--set", "TILE_WIDTH=4"};
  EXPECT_EQ(run(point, {home.variable()})["measurement"]["median_ms"], 0.0051);
  home.write("kernels/matmul_tiled.cu", support::replaced(text, "Pvalue = 0.0f", "Pvalue = 0.5f"));
  const json changed = run(point, {home.variable()});
  EXPECT_TRUE(changed["measurement"].is_null());
  EXPECT_TRUE(has(changed["nearest"]["why"].get<std::string>(), "differs from the recorded source"));
}

TEST_F(RecordedDevice, DamagedNewerAndMissingFilesAreRefused) {
  std::string bytes = lab::encodeRecording(smallRecording()).value();
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  ASSERT_TRUE(writeFileAtomically(file, bytes));
  expectRefused(words({}), {"small.tsrec is refused", "damaged"});
  bytes[8] = 9;
  ASSERT_TRUE(writeFileAtomically(file, bytes));
  expectRefused(words({}), {"its version is 9", "newer Tilestep"});
  std::filesystem::remove(file);
  expectRefused(words({}), {"there is no recording", "recorded:nvidia-h200"});
}

TEST_F(RecordedDevice, ASweepUsesItsPoints) {
  const std::string csv = folder.path("sweep.csv");
  support::expectStatus(0, {"sweep", "matmul_tiled", "--set", "TILE_WIDTH=4,5,8", "--size", "16",
                            "--device", "recorded:" + file, "--csv", csv});
  const std::string text = folder.read("sweep.csv");
  EXPECT_TRUE(has(text, ",4,ok,0.0051,"));
  EXPECT_TRUE(has(text, ",5,ok,,"));
  EXPECT_TRUE(has(text, "nearest recorded point: m 16, n 16, k 16, TILE_WIDTH 4"));
}

TEST(ShippedRecording, IsListedAndGivesItsPoints) {
  const support::Finished devices = support::tilestep({"devices", "--json"});
  EXPECT_TRUE(has(devices.out, "recorded:nvidia-h200"));
  const support::Finished done = support::expectStatus(
      0, {"run", "matmul_tiled", "--size", "1024", "--set", "TILE_WIDTH=16", "--counters",
          "--hardware", "--timeline", "--device", "recorded:nvidia-h200", "--json"});
  const json at = json::parse(done.out);
  // docs/measurements/gpu-measuring.md and counters.md show these figures from other runs.
  EXPECT_NEAR(at["measurement"]["median_ms"].get<double>(), 0.2773, 0.2773 * 0.02);
  EXPECT_EQ(at["counters"]["total"]["ffma"], 1073741824);
  EXPECT_EQ(at["timeline"]["columns"]["sm"].size(), 4096U);
  EXPECT_TRUE(at["hardware"].contains("library"));
}

}  // namespace tilestep::system_test::recorded_device_test
