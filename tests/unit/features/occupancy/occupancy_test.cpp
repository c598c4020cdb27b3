// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "features/known_devices/view.h"
#include "features/occupancy/occupancy_view.h"
#include "features/roofline/roofline_view.h"
#include "model/export/table.h"
#include "support/results.h"
#include "support/source_root.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::occupancy_test {

using Over = OccupancyCurve::Over;

class OccupancyTest : public SessionFixture {
 protected:
  void open(const std::string& home = support::sourceRoot()) {
    SessionOptions options;
    options.home = home;
    SessionFixture::open(options);
    settle();
  }
  /// The view after the slider moved. The toy worker reports 0 bytes of shared memory.
  const OccupancyView& tile(int64_t width) {
    session->apply(command("tuning.set", "TILE_WIDTH", width));
    settle();
    return view();
  }
  const OccupancyView& view() {
    kept = session->snapshot();
    const auto* shown = kept->views.get<OccupancyView>();
    EXPECT_NE(shown, nullptr);
    static const OccupancyView none;
    return shown != nullptr ? *shown : none;
  }
};

/// A tiled launch as the compiler produces it, on a known device.
OccupancyView tiled(const std::string& device, int64_t width, uint32_t assumed = 0) {
  const auto source =
      compile::findKernel(support::sourceRoot() + "/kernels", "matmul_tiled").value();
  const auto spec = compile::parseKernel(source).value();
  lab::RunResult result;
  result.plan = compile::plan(spec, {}, {{"TILE_WIDTH", width}}, Limits{}).value();
  result.sharedBytes = static_cast<uint32_t>(8 * width * width);
  const auto file =
      lab::readDeviceFile(support::sourceRoot() + "/assets/devices/" + device + ".toml").value();
  return occupancyViewOf(
      {file.name, file.multiprocessor, true, &result, &spec, "TILE_WIDTH", assumed});
}

const OccupancyBar& barOf(const OccupancyView& view, std::string_view name) {
  return *std::ranges::find(view.bars, name, &OccupancyBar::name);
}

const OccupancyCurve& curveOf(const OccupancyView& view, Over over) {
  return *std::ranges::find(*view.curves, over, &OccupancyCurve::over);
}

double ratioAt(const OccupancyCurve& curve, double x) {
  const auto at = std::ranges::find(curve.points, x, &OccupancyPoint::x);
  return at == curve.points.end() ? -1 : at->ratio;
}

TEST(OccupancyOf, SawtoothOverTileWidthMatchesTheCurriculum) {
  const OccupancyView view = tiled("nvidia-h200", 16, 32);
  const OccupancyCurve& curve = curveOf(view, Over::tunable);
  EXPECT_EQ(curve.points.size(), 32U);
  EXPECT_EQ(curve.now, 16.0);
  EXPECT_NEAR(ratioAt(curve, 24), 0.84, 0.005);
  EXPECT_NEAR(ratioAt(curve, 26), 0.69, 0.005);
  EXPECT_NEAR(ratioAt(curve, 28), 0.78, 0.005);
  EXPECT_DOUBLE_EQ(ratioAt(curve, 32), 1);
}

TEST(OccupancyOf, NextStepStatesCostAndReason) {
  const OccupancyView view = tiled("nvidia-h200", 16, 32);
  ASSERT_EQ(view.steps.size(), 2U);
  EXPECT_EQ(view.steps[0].substr(0, 115),
            "TILE_WIDTH 17: 289 threads, 10 warps (31 lanes idle); 6 blocks fit, 60 of 64 warps, "
            "93.8 %, less than now; threads:");
  EXPECT_TRUE(has(view.steps[1], "TILE_WIDTH 15"));
  // The widest tile has no higher neighbour.
  EXPECT_EQ(tiled("nvidia-h200", 32, 32).steps.size(), 1U);
}

TEST(OccupancyOf, GeForce8800ShowsTheTextbooksLimitAndItsOwn) {
  const OccupancyView view = tiled("geforce-8800-gtx", 16, 10);
  const OccupancyBar& shared = barOf(view, "shared memory");
  EXPECT_EQ(shared.textbookBlocks, 8U);
  EXPECT_EQ(shared.blocks, 6U);  // Shared memory also contains the launch's arguments.
  EXPECT_TRUE(has(shared.hover, "16,384 ÷ 2,048 B per block = 8 blocks"));
  EXPECT_TRUE(has(shared.why, "arguments"));
  EXPECT_EQ(view.blocks, 3U);
  EXPECT_TRUE(barOf(view, "threads").limits);
  const OccupancyView wide = tiled("geforce-8800-gtx", 32, 10);
  EXPECT_EQ(barOf(wide, "shared memory").textbookBlocks, 2U);
  EXPECT_EQ(wide.refusal, "a block has 1024 threads; this device allows at most 512");
  EXPECT_EQ(wide.ratio, 0);
  const std::string last = tiled("geforce-8800-gtx", 22, 10).steps[0];
  EXPECT_TRUE(has(last, "TILE_WIDTH 23: 529 threads, 17 warps (15 lanes idle); cannot run:"));
}

TEST(OccupancyOf, UnknownRegistersAreReportedAndLimitNothing) {
  const OccupancyView view = tiled("nvidia-h200", 16);
  EXPECT_EQ(view.registersText, "Registers are unknown and not counted as a limit.");
  EXPECT_FALSE(barOf(view, "registers").known);
  EXPECT_FALSE(curveOf(view, Over::registers).now);
  const OccupancyView assumed = tiled("nvidia-h200", 16, 40);
  EXPECT_EQ(assumed.registersText, "40 registers per thread, assumed.");
  EXPECT_TRUE(barOf(assumed, "registers").limits);
  EXPECT_EQ(barOf(assumed, "registers").blocks, 6U);
  EXPECT_EQ(curveOf(assumed, Over::registers).now, 40.0);
}

TEST_F(OccupancyTest, OnAGpuAnotherDeviceHasNoMeasuredFigures) {
  log->gpu = true;
  open();
  EXPECT_EQ(view().device, "Test GPU");
  EXPECT_EQ(kept->views.get<KnownDeviceView>(), nullptr);
  EXPECT_TRUE(view().achieved);
  const auto bounds = [&] {
    return std::ranges::all_of(kept->view<RooflineView>().points, &RoofPoint::bound);
  };
  EXPECT_FALSE(bounds());
  session->apply(command("known_devices.next", 1));
  session->poll(now += 0.1);
  EXPECT_EQ(view().device, "GeForce 8800 GTX");
  EXPECT_TRUE(kept->choice.whatIf);
  EXPECT_FALSE(view().achieved) << "measured on another device";
  EXPECT_TRUE(bounds());
  EXPECT_TRUE(has(kept->view<RooflineView>().origin, "what if"));
  EXPECT_TRUE(kept->figuresMain->measurement) << "the measurement is kept";
  session->apply(command("known_devices.next", -1));
  settle();
  EXPECT_EQ(view().device, "Test GPU");
  EXPECT_FALSE(bounds());
}

TEST_F(OccupancyTest, DamagedFileIsOmittedAndReportedWithItsLine) {
  namespace fs = std::filesystem;
  const fs::path home = fs::path(testing::TempDir()) / "occupancy-home";
  fs::remove_all(home);
  fs::create_directories(home / "assets" / "devices");
  fs::create_directory_symlink(support::sourceRoot() + "/kernels", home / "kernels");
  const fs::path shipped = support::sourceRoot() + "/assets/devices";
  fs::copy_file(shipped / "tesla-t4.toml", home / "assets/devices/tesla-t4.toml");
  std::ofstream(home / "assets/devices/bad.toml")
      << "name = \"Bad\"\ncompute_capability = \"8.0\"\nmultiprocessors = -3\n";
  open(home.string());
  const auto snapshot = session->snapshot();
  EXPECT_EQ(snapshot->roofDevices, std::vector<std::string>{"tesla-t4"});
  const auto notice = std::ranges::find_if(
      snapshot->notices, [](const Notice& one) { return one.about.starts_with("device file"); });
  ASSERT_NE(notice, snapshot->notices.end());
  EXPECT_TRUE(notice->source.ends_with("bad.toml:3")) << notice->source;
  fs::remove_all(home);
}

TEST_F(OccupancyTest, TablesContainBarsCurvesAndEveryDevice) {
  open();
  tile(16);
  const Table occupancy = tableOf("occupancy", *session->snapshot());
  EXPECT_TRUE(has(occupancy.title, "NVIDIA H200"));
  EXPECT_EQ(occupancy.rows[1][1], "registers");
  EXPECT_EQ(occupancy.rows[1].back(), "unknown");
  const Table devices = tableOf("devices", *session->snapshot());
  EXPECT_EQ(devices.rows.size(), session->snapshot()->roofDevices.size());
  EXPECT_TRUE(has(devices.title, "not measured"));
}

}  // namespace tilestep::features::occupancy_test
