// SPDX-License-Identifier: Apache-2.0
// The roofline's texts and points, compared with figures computed by hand.
#include <gtest/gtest.h>

#include <algorithm>

#include "features/roofline/roofline_view.h"
#include "model/choice/pins.h"
#include "support/results.h"
#include "unit/features/roofline/h200.h"

namespace tilestep::features::roofline_test {

using metrics::Level;

device::Ceilings gtx8800() {
  device::Ceilings ceilings;
  ceilings.device = "GeForce 8800 GTX";
  ceilings.origin = "computed from published figures";
  ceilings.fp32FlopPerSecond = 367e9;
  ceilings.dramBytesPerSecond = 86.4e9;
  return ceilings;
}

/// A product of 1024 × 1024 matrices with counts from Nsight Compute.
lab::RunResult product(const std::string& kernel, double loads, uint64_t sectors, double ms) {
  lab::RunResult result;
  result.kernel = kernel;
  result.device.id = "recorded:nvidia-h200";
  result.device.name = "NVIDIA H200";
  result.device.recordedOn = "2026-11-21";
  result.plan.sizes = {{"m", 1024}, {"n", 1024}, {"k", 1024}};
  result.plan.operations = 2.0 * (1ULL << 30);
  result.counters.emplace();
  trace::Counters& total = result.counters->total;
  total.globalLoad.bytes = static_cast<uint64_t>(loads * 4);
  total.globalLoad.sectors = sectors;
  total.globalStore.bytes = 4ULL << 20;
  total.globalStore.sectors = 131072;
  if (ms > 0) result.measurement = device::Measurement{true, ms, ms, ms, ms, 20, {}};
  return result;
}
lab::RunResult naive() {
  return product("matmul_naive", 2.0 * (1ULL << 30), 134217728, 0.4220);
}
/// The product in tiles of 16, with hardware counters.
lab::RunResult tiled16() {
  lab::RunResult result = product("matmul_tiled", 2.0 * (1ULL << 30) / 16, 16777216, 0.2775);
  result.hardware.emplace();
  result.hardware->caches = device::CacheState::cold;
  result.hardware->figures = {
      {"l2_read_sectors", "lts__t_sectors_op_read.sum", Unit::count, 13863981},
      {"l2_write_sectors", "lts__t_sectors_op_write.sum", Unit::count, 131072},
      {"dram_bytes_read", "dram__bytes_read.sum", Unit::bytes, 8422656},
      {"dram_bytes_written", "dram__bytes_write.sum", Unit::bytes, 0},
      {"shared_load_wavefronts", "…", Unit::count, 50331648},
      {"shared_store_wavefronts", "…", Unit::count, 4194304}};
  return result;
}

const RoofPoint& at(const RooflineView& view, Level level, bool companion = false) {
  const auto found = std::ranges::find_if(view.points, [&](const RoofPoint& point) {
    return point.point.level == level && point.companion == companion;
  });
  static const RoofPoint none;
  return found == view.points.end() ? none : *found;
}

RooflineView viewOf(const device::Ceilings& ceilings, const lab::RunResult& main,
                    const lab::RunResult* companion = nullptr) {
  RooflineInputs in;
  in.ceilings = &ceilings;
  in.main = &main;
  in.companion = companion;
  return rooflineOf(in);
}

TEST(RooflineView, EachLevelIsUnderItsOwnRoof) {
  const RooflineView view = viewOf(h200(), tiled16());
  ASSERT_EQ(view.points.size(), 5U);
  // 2^31 FLOP in 0.2775 ms are 7.739 TFLOP/s. The wavefronts are 6.979 GB, so 0.3077 FLOP/B.
  const RoofPoint& shared = at(view, Level::shared);
  const double flops = 2147483648.0 / 0.2775e-3;
  EXPECT_NEAR(*shared.flopPerSecond, flops, 1);
  EXPECT_NEAR(shared.point.intensity.value, 2147483648.0 / (54525952.0 * 128), 1e-12);
  EXPECT_NEAR(*shared.attainable, 32.4e12 * 2147483648.0 / (54525952.0 * 128), 1);
  EXPECT_NEAR(*at(view, Level::l2).attainable, 7.68e12 * 2147483648.0 / (13995053.0 * 32), 1);
  EXPECT_EQ(*at(view, Level::dram).attainable, 65e12) << "beyond the ridge, the peak is the roof";
  EXPECT_EQ(at(view, Level::dram).words, "11.9 % of FP32, which is the roof at this intensity");
  EXPECT_NEAR(view.roofOf(Level::l1)->ridge, 65 / 28.9, 1e-9);
  EXPECT_EQ(view.roofOf(Level::lanes)->level, Level::dram);
}

TEST(RooflineView, VerdictStatesTheNearestRoofAndItsShare) {
  const RooflineView view = viewOf(h200(), tiled16());
  EXPECT_EQ(view.nearest, Level::shared);
  // 7.739 TFLOP/s of 32.4 TB/s * 0.3077 FLOP/B = 9.970 TFLOP/s.
  const RoofPoint& shared = at(view, Level::shared);
  EXPECT_NEAR(*shared.flopPerSecond / *shared.attainable, 0.776, 0.001);
  EXPECT_TRUE(has(view.verdict, "memory-bound by shared memory: 77.6 %"));
}

TEST(RooflineView, CompanionDoesNotChangeTheMainKernelsVerdict) {
  const lab::RunResult other = tiled16();
  const RooflineView alone = viewOf(h200(), naive()), beside = viewOf(h200(), naive(), &other);
  ASSERT_TRUE(at(beside, Level::shared, true).flopPerSecond.has_value());
  EXPECT_EQ(beside.nearest, alone.nearest);
  EXPECT_EQ(beside.verdict, alone.verdict);
}

TEST(RooflineView, ExplainsWhyTheNaiveKernelIsAboveTheRoof) {
  const RooflineView view = viewOf(h200(), naive());
  const RoofPoint& lanes = at(view, Level::lanes);
  // 5.089 TFLOP/s against 0.24988 FLOP/B * 4.525 TB/s = 1.131 TFLOP/s.
  EXPECT_EQ(lanes.words, "7.83 % of FP32; 4.50 times what DRAM allows without a cache");
  EXPECT_TRUE(
      has(lanes.why, "naive lies above DRAM's roof: its lanes request 8.59 GB", "L1 and L2"));
  EXPECT_TRUE(at(view, Level::l1).why.empty());
  EXPECT_EQ(at(view, Level::l1).words, "35.3 % of what L1 allows here; 7.83 % of FP32");
  EXPECT_TRUE(has(view.verdict, "far below the roofs that can be judged",
                  "what DRAM, L2 and shared memory transferred is unknown"));
}

TEST(RooflineView, HoverContainsFormulasWithThisRunsValues) {
  const RooflineView view = viewOf(h200(), naive());
  const std::string& hover = at(view, Level::l1).hover;
  for (const char* part :
       {"0.50 FLOP/B = 2,147,483,648 FLOP ÷ 4,299,161,600 B",
        "5.09 TFLOP/s = 2,147,483,648 FLOP ÷ 422 µs",
        "min(65.0 TFLOP/s, 0.50 FLOP/B × 28.9 TB/s = 14.4 TFLOP/s) = 14.4 TFLOP/s",
        "35.3 % = 5.09 TFLOP/s ÷ 14.4 TFLOP/s", "NVIDIA H200, recorded 2026-11-21"})
    EXPECT_TRUE(has(hover, part)) << part << "\nnot in\n";
}

TEST(RooflineView, EachSpeedStatesTheCaches) {
  lab::RunResult result = tiled16();
  EXPECT_EQ(at(viewOf(h200(), result), Level::dram).caches, "warm") << "no other time is known";
  result.measurement->coldMedianMs = 0.285;
  const RooflineView view = viewOf(h200(), result);
  for (const Level level : {Level::lanes, Level::l1, Level::shared})
    EXPECT_EQ(at(view, level).caches, "warm");
  for (const Level level : {Level::l2, Level::dram}) EXPECT_EQ(at(view, level).caches, "cold");
  EXPECT_TRUE(at(view, Level::dram).hover.starts_with("tiled, DRAM, caches cold\n"))
      << at(view, Level::dram).hover;
}

TEST(RooflineView, WithoutATimeThereAreOnlyBounds) {
  lab::RunResult main = naive(), tiled = tiled16();
  main.measurement.reset();
  tiled.measurement.reset();
  tiled.hardware.reset();
  const RooflineView view = viewOf(gtx8800(), tiled, &main);
  // The textbook's figures: 21.6 GFLOPS naive and 345.6 with tiles of 16. Stores change them
  // slightly.
  EXPECT_NEAR(*at(view, Level::lanes, true).flopPerSecond, 21.6e9, 0.02e9);
  EXPECT_NEAR(*at(view, Level::lanes).flopPerSecond, 345.6e9, 3e9);
  for (const bool companion : {true, false}) {
    const std::string words = at(view, Level::lanes, companion).words;
    EXPECT_TRUE(has(words, companion ? "; 21.6 GFLOP/s by loads" : "; 345.6 GFLOP/s by loads"));
  }
  tiled.counters->total.globalLoad.bytes = 1 << 20;
  const RooflineView top = viewOf(h200(), tiled, &main);
  EXPECT_TRUE(has(at(top, Level::lanes).words, "; 65 TFLOP/s by loads"));
  for (const RoofPoint& point : view.points) {
    EXPECT_TRUE(point.bound || !point.flopPerSecond);
    EXPECT_FALSE(point.point.performance);
  }
  EXPECT_FALSE(at(view, Level::l1).flopPerSecond) << "data sheets have no L1 bandwidth";
  EXPECT_EQ(view.nearest, Level::lanes);
  EXPECT_TRUE(has(view.verdict, "tiled was not timed: at most"));
}

TEST(RooflineView, OnAnotherDeviceTimesAndHardwareCountersAreOmitted) {
  const device::Ceilings ceilings = gtx8800();
  const lab::RunResult main = tiled16();
  RooflineInputs in;
  in.ceilings = &ceilings;
  in.main = &main;
  in.whatIf = true;
  in.marks.marks = {{"cuBLAS", 50e12, "measured elsewhere", {}}};
  const RooflineView view = rooflineOf(in);
  for (const RoofPoint& point : view.points) EXPECT_FALSE(point.point.performance);
  EXPECT_EQ(at(view, Level::shared).point.bytes.value, 0);
  EXPECT_TRUE(view.marks.empty()) << "this GPU's speeds do not apply to another";
}

TEST(RooflineView, EarlierRunsFormATrailWithoutThePresentOne) {
  const device::Ceilings ceilings = h200();
  const lab::RunResult other = naive(), main = tiled16();
  lab::RunResult before = tiled16(), whatIf = tiled16();
  before.measurement->medianMs = 0.4220;
  whatIf.device.name = "Tesla T4";
  std::vector<FormerRun> former;
  uint64_t number = 0;
  for (const lab::RunResult* result : {static_cast<const lab::RunResult*>(&whatIf),
                                       static_cast<const lab::RunResult*>(&before), &other, &main})
    former.push_back({++number, result->kernel, machineOf(result->device),
                      rooflineWorkOf(*result, false), result->kernel});
  RooflineInputs in;
  in.ceilings = &ceilings;
  in.main = &main;
  in.former = former;
  const RooflineView view = rooflineOf(in);
  ASSERT_FALSE(view.trail.empty());
  for (const RoofTrace& trace : view.trail) {
    EXPECT_EQ(trace.number, 2U) << "excludes other GPUs, other kernels and the present run";
    EXPECT_FALSE(trace.bound);
  }
  const auto lanes = std::ranges::find(view.trail, Level::lanes, &RoofTrace::level);
  ASSERT_NE(lanes, view.trail.end());
  EXPECT_NEAR(lanes->flopPerSecond, 2147483648.0 / 0.4220e-3, 1);
}

lab::RunResult onMachine(lab::RunResult result, uint32_t number) {
  result.device.id = "recorded:nvidia-h200";
  result.device.machines = 3;
  result.device.machine = number;
  return result;
}

TEST(RooflineView, RunsAndMarksOfAnotherMachineOfThisKindAreMarked) {
  const device::Ceilings ceilings = h200();
  const lab::RunResult main = onMachine(tiled16(), 2), other = onMachine(tiled16(), 3);
  std::vector<FormerRun> former;
  for (const lab::RunResult* result : {&other, &main}) {
    metrics::RooflineWork work = rooflineWorkOf(*result, false);
    work.seconds = 0.4220e-3;
    former.push_back({former.size() + 1, "before", machineOf(result->device), work, main.kernel});
  }
  Pin pin;
  pin.id = 7;
  pin.name = "pinned";
  pin.device = other.device.id;
  pin.deviceName = other.device.name;
  pin.machines = 3;
  pin.machineNumber = 3;
  pin.work = rooflineWorkOf(other, false);
  pin.time = PinnedTime{0.4220, 0.42, 0.421, 0.423, 20, 4, {}, ""};
  Pins pins;
  pins.pins = {pin};
  RooflineInputs in;
  in.ceilings = &ceilings;
  in.main = &main;
  in.former = former;
  in.pins = &pins;
  in.marks.marks = {{"cuBLAS", 50e12, "measured", machineOf(other.device)},
                    {"own", 40e12, "measured", machineOf(main.device)}};
  const RooflineView view = rooflineOf(in);
  for (const RoofTrace& trace : view.trail)
    EXPECT_EQ(trace.name, trace.number == 1 ? "before, on another NVIDIA H200 (no. 3)" : "before");
  ASSERT_FALSE(view.trail.empty());
  ASSERT_FALSE(view.pinned.empty());
  EXPECT_EQ(view.pinned[0].name, "pinned, on another NVIDIA H200 (no. 3)");
  ASSERT_EQ(view.marks.size(), 2U);
  EXPECT_EQ(view.marks[0].name, "cuBLAS, on another GPU");
  EXPECT_EQ(view.marks[0].origin,
            "measured\nThe points and this mark are from different GPUs; the mark is from another "
            "NVIDIA H200 (no. 3).");
  EXPECT_EQ(view.marks[1].name, "own");
  EXPECT_EQ(view.marks[1].origin, "measured");
}

TEST(RooflineView, MeasuredRoofsAreComparedWithPublishedOnes) {
  device::Ceilings measured = h200(), published = h200();
  measured.measured = true;
  measured.dramBytesPerSecond = 4.53e12;
  published.measured = false;
  published.dramBytesPerSecond = 4.8e12;
  published.fp32FlopPerSecond = 66.9e12;
  RooflineInputs in;
  in.ceilings = &measured;
  EXPECT_EQ(rooflineOf(in).published, "");
  in.published = &published;
  EXPECT_EQ(
      rooflineOf(in).published,
      "Test kernels measured these roofs. Compared with the published figures: DRAM 4.53 TB/s of "
      "4.80 TB/s (94.4 %), FP32 65.0 TFLOP/s of 66.9 TFLOP/s (97.2 %).");
}

TEST(RooflineView, PinnedRunIsAsMeasuredOrAtItsBound) {
  const lab::RunResult main = tiled16();
  Pins pins;
  Pin pin;
  pin.id = 7;
  pin.name = "naive";
  pin.colour = 3;
  pin.deviceName = "NVIDIA H200";
  pin.work = rooflineWorkOf(naive(), false);
  pin.time = PinnedTime{0.4220, 0.42, 0.421, 0.423, 20, 4, {}, ""};
  pins.pins = {pin};
  device::Ceilings ceilings = h200();
  RooflineInputs in;
  in.ceilings = &ceilings;
  in.main = &main;
  in.pins = &pins;
  RooflineView view = rooflineOf(in);
  ASSERT_FALSE(view.pinned.empty());
  for (const RoofTrace& trace : view.pinned) {
    EXPECT_EQ(trace.number, 7U);
    EXPECT_EQ(trace.colour, 3U);
    EXPECT_FALSE(trace.bound);
  }
  ceilings = gtx8800();
  in.whatIf = true;
  view = rooflineOf(in);
  const auto lanes = std::ranges::find(view.pinned, Level::lanes, &RoofTrace::level);
  ASSERT_NE(lanes, view.pinned.end());
  EXPECT_TRUE(lanes->bound);
  EXPECT_NEAR(lanes->flopPerSecond, 21.6e9, 0.02e9);
}

}  // namespace tilestep::features::roofline_test
