// SPDX-License-Identifier: Apache-2.0
// Files of an earlier release are read completely; tests/fixtures/d589da0/README.md describes them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "features/sweeps/sweep_import.h"
#include "guard/player.h"
#include "lab/recording/recorded.h"
#include "lab/recording/recording_file.h"
#include "model/files/pins_file.h"
#include "support/known_fonts.h"
#include "support/results.h"
#include "support/service.h"
#include "support/source_root.h"
#include "ui/shell/saved_file.h"

namespace tilestep::tests::old_files_test {

namespace fs = std::filesystem;
using compile::Bindings;
using nlohmann::json;

constexpr const char* kKeptSweep = "matmul_tiled-b791ba347ed10781-simt-interpreter.csv";

fs::path oldFile(const std::string& name) {
  return fs::path(support::sourceRoot()) / "tests" / "fixtures" / "d589da0" / name;
}

std::string contentOf(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

/// A copy, because the program sets damaged files aside.
fs::path copied(const support::TemporaryFolder& scratch, const std::string& name) {
  fs::copy_file(oldFile(name), scratch.path(name));
  return scratch.path(name);
}

model::SessionOptions optionsWith(const support::TemporaryFolder& scratch) {
  model::SessionOptions options;
  options.home = support::sourceRoot();
  options.pointsFile = scratch.path("points.db");
  return options;
}

std::unique_ptr<HeadlessWindow> windowOf(const model::SessionOptions& options) {
  return std::make_unique<HeadlessWindow>(options, 1600, 1000);
}

bool shows(const json& state, const std::string& pointer, const json& value) {
  const json::json_pointer at(pointer);
  return state.contains(at) && state.at(at) == value;
}

TEST(OldFiles, TheSavedWindowIsReadWhole) {
  const support::TemporaryFolder scratch("old-files");
  ui::SavedFile file(copied(scratch, "window.toml").string());
  const std::optional<model::Saved> saved = file.load();
  ASSERT_TRUE(saved);
  EXPECT_FALSE(file.notice());
  const model::Choice& choice = saved->choice;
  EXPECT_EQ(choice.kernel, "matmul_tiled");
  EXPECT_EQ(choice.tunables.at("matmul_tiled"), (Bindings{{"TILE_WIDTH", 8}}));
  EXPECT_EQ(choice.block, (Dim3{1, 0, 0}));
  EXPECT_EQ(choice.thread, (Dim3{0, 0, 0}));
  EXPECT_EQ(choice.device, "recorded:nvidia-h200");
  EXPECT_EQ(choice.roofDevice, "geforce-8800-gtx");
  EXPECT_TRUE(choice.whatIf);
  EXPECT_EQ(choice.comparison.kernel, "matmul_tiled");
  EXPECT_EQ(choice.comparison.tunables.at("matmul_tiled"), (Bindings{{"TILE_WIDTH", 9}}));
  EXPECT_TRUE(choice.scene.linked && choice.measure.linked);
  EXPECT_EQ(choice.looks.desk.theme, model::Theme::light);
  EXPECT_FALSE(choice.looks.desk.panels[0].wanted);
  EXPECT_EQ(choice.looks.switches.stage, model::Stage::roofline);
  EXPECT_EQ(choice.looks.switches.roofFocus, model::RoofFocus::l1);
  EXPECT_TRUE(choice.looks.switches.threadView);
  EXPECT_EQ(saved->place.scene.grain, trace::StepGranularity::event);
  EXPECT_EQ(saved->place.scene.step, 71U);
  EXPECT_EQ(saved->width, 1440);
  EXPECT_EQ(saved->height, 900);
}

TEST(OldFiles, AWindowOpensAsTheSavedOneWas) {
  const support::TemporaryFolder scratch("old-files");
  model::SessionOptions options = optionsWith(scratch);
  options.saved = ui::SavedFile(copied(scratch, "window.toml").string()).load();
  const auto window = windowOf(options);
  const auto isAsSaved = [](const std::string& text) {
    const json state = json::parse(text);
    return shows(state, "/tunables/TILE_WIDTH", 8) &&
           shows(state, "/beside/tunables/TILE_WIDTH", 9) && shows(state, "/stage", "roofline") &&
           shows(state, "/theme", "light") && shows(state, "/step/index", 71) &&
           shows(state, "/step/count", 122) &&
           shows(state, "/device_in_use", "recorded:nvidia-h200") &&
           shows(state, "/elsewhere/device", "geforce-8800-gtx") &&
           shows(state, "/folded/controls", true) && shows(state, "/notices", json::array());
  };
  EXPECT_TRUE(window->settle(isAsSaved)) << window->state();
}

TEST(OldFiles, PinnedRunsAreReadWhole) {
  const support::TemporaryFolder scratch("old-files");
  model::PinsFile file(copied(scratch, "runs.toml").string());
  const model::PinsPointer pins = file.load();
  ASSERT_TRUE(pins);
  EXPECT_FALSE(file.notice());
  ASSERT_EQ(pins->pins.size(), 3U);
  const model::Pin &five = pins->pins[0], &eight = pins->pins[1], &four = pins->pins[2];
  EXPECT_EQ(pins->baseOrFirst(), &eight);
  EXPECT_EQ(five.name, "tiled 5");
  EXPECT_EQ(eight.name, "eight wide");
  EXPECT_EQ(four.name, "tiled 4");
  EXPECT_EQ(eight.id, 0x6944290403cc6dbaU);
  EXPECT_EQ(eight.colour, 1U);
  EXPECT_EQ(eight.device, "recorded:nvidia-h200");
  EXPECT_EQ(eight.origin, model::PinOrigin::recorded);
  EXPECT_EQ(eight.sizes, (Bindings{{"k", 1024}, {"m", 1024}, {"n", 1024}}));
  EXPECT_EQ(eight.tunables, (Bindings{{"TILE_WIDTH", 8}}));
  ASSERT_TRUE(eight.time);
  EXPECT_EQ(eight.time->medianMs, 0.43636266390482586);
  EXPECT_EQ(eight.time->repetitions, 231U);
  EXPECT_EQ(eight.time->coldMedianMs, 0.43913599848747253);
  EXPECT_EQ(five.work.l2Bytes, 2350564448U);
  EXPECT_EQ(five.achieved, 0.48480969768480131);
  EXPECT_EQ(four.origin, model::PinOrigin::interpreter);
  EXPECT_FALSE(four.time);
}

TEST(OldFiles, ASweepsTableIsReadWhole) {
  const std::string path = oldFile("sweep.csv").string();
  const auto file = valueOrThrow(features::parseSweepFile(path, contentOf(path)));
  EXPECT_FALSE(file.kept || file.cutOff);
  ASSERT_EQ(file.rows.size(), 4U);
  const features::SweepFileRow& row = file.rows[2];
  EXPECT_EQ(row.kernel, "matmul_tiled");
  EXPECT_EQ(row.device, "recorded:nvidia-h200");
  EXPECT_EQ(row.values, (Bindings{{"TILE_WIDTH", 16}, {"k", 1024}, {"m", 1024}, {"n", 1024}}));
  ASSERT_TRUE(row.sample.time);
  EXPECT_EQ(row.sample.time->medianMs, 0.277468);
  EXPECT_EQ(row.sample.time->repetitions, 272U);
}

TEST(OldFiles, ASweepsKeptPointsAreReadWhole) {
  const auto file =
      valueOrThrow(features::parseSweepFile(kKeptSweep, contentOf(oldFile(kKeptSweep))));
  EXPECT_TRUE(file.kept);
  EXPECT_FALSE(file.cutOff);
  ASSERT_EQ(file.rows.size(), 32U);
  const features::SweepFileRow& row = file.rows[1];
  EXPECT_EQ(row.values, (Bindings{{"TILE_WIDTH", 2}, {"k", 32}, {"m", 32}, {"n", 32}}));
  EXPECT_EQ(row.code, 0xb791ba347ed10781U);
  EXPECT_EQ(row.sample.when, "2026-11-22");
  ASSERT_TRUE(row.sample.counts);
  EXPECT_EQ(row.sample.counts->globalLoad.bytes, 131072U);
  EXPECT_EQ(row.sample.counts->sharedLoad.wavefronts, 16384U);
}

/// One sweep is opened by its file name, the other is found in its folder.
TEST(OldFiles, AWindowShowsTheSweeps) {
  const support::TemporaryFolder scratch("old-files");
  fs::create_directory(scratch.path("sweeps"));
  fs::copy_file(oldFile(kKeptSweep), scratch.path("sweeps/" + std::string(kKeptSweep)));
  model::SessionOptions options = optionsWith(scratch);
  options.device = "simt";
  options.comparison.kernel = model::Comparison::kNone;
  options.sizes = {{"m", 32}, {"n", 32}, {"k", 32}};
  const auto window = windowOf(options);
  window->key("8");
  EXPECT_TRUE(window->settle([](const std::string& text) {
    const json state = json::parse(text);
    return shows(state, "/sweep/done", 32) && shows(state, "/notices", json::array());
  })) << window->state();
  window->session().apply(model::command("sweeps.open", oldFile("sweep.csv").string()));
  EXPECT_TRUE(window->settle([](const std::string& text) {
    const json state = json::parse(text);
    return shows(state, "/sweep/source", "file") && shows(state, "/sweep/done", 4) &&
           shows(state, "/sweep/best/0/x", 32) && shows(state, "/notices", json::array());
  })) << window->state();
}

TEST(OldFiles, ARecordingIsReadWhole) {
  const auto recording = valueOrThrow(lab::readRecording(oldFile("nvidia-h200.tsrec").string()));
  EXPECT_EQ(recording.device.name, "NVIDIA H200");
  EXPECT_EQ(recording.device.recordedOn, "2026-11-21");
  EXPECT_TRUE(recording.ceilings);
  ASSERT_EQ(recording.points.size(), 5U);
  const auto source = compile::findKernel(support::sourceRoot() + "/kernels", "matmul_tiled");
  ASSERT_TRUE(source);
  const Bindings large{{"m", 1024}, {"n", 1024}, {"k", 1024}},
      small{{"m", 64}, {"n", 64}, {"k", 64}};
  const auto result =
      valueOrThrow(lab::recordedResult(recording, *source, large, {{"TILE_WIDTH", 16}}));
  ASSERT_TRUE(result.measurement && result.counters && result.hardware);
  EXPECT_NEAR(result.measurement->medianMs, 0.277467996, 1e-9);
  EXPECT_EQ(result.counters->total.globalLoad.threads, 134217728U);
  EXPECT_EQ(result.hardware->figures.size(), 18U);
  const auto timed =
      valueOrThrow(lab::recordedResult(recording, *source, small, {{"TILE_WIDTH", 16}}));
  ASSERT_TRUE(timed.timeline);
  EXPECT_EQ(timed.timeline->blocks(), 16U);
}

}  // namespace tilestep::tests::old_files_test
