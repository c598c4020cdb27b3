// SPDX-License-Identifier: Apache-2.0
// The recording that is shipped: whole, small, and of the kernels that are shipped.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "compile/kernel.h"
#include "lab/recording_file.h"
#include "metrics/timeline.h"

namespace tilestep::lab {
namespace {

const std::string kHome = TILESTEP_SOURCE_DIR;
const std::string kFile = kHome + "/assets/recordings/nvidia-h200.tsrec";

class ShippedRecording : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto read = readRecording(kFile);
    ASSERT_TRUE(read) << read.error().message;
    recording = std::make_unique<DeviceRecording>(std::move(read).value());
  }
  static void TearDownTestSuite() { recording.reset(); }
  static std::unique_ptr<DeviceRecording> recording;
};
std::unique_ptr<DeviceRecording> ShippedRecording::recording;

TEST_F(ShippedRecording, IsSmallAndSaysWhereItIsFrom) {
  EXPECT_LT(std::filesystem::file_size(kFile), size_t{4} << 20);
  EXPECT_EQ(recording->device.name, "NVIDIA H200");
  EXPECT_EQ(recording->device.recordedOn, "2026-11-21");
  EXPECT_NE(recording->device.driver.find("CUDA"), std::string::npos);
  EXPECT_EQ(recording->compiler.name, "nvrtc");
  ASSERT_TRUE(recording->ceilings);
  EXPECT_NEAR(*recording->ceilings->fp32FlopPerSecond, 65e12, 2e12);
}

bool isOfLadder(const std::string& name) {
  return name.starts_with("rung") || name.starts_with("cublas:");
}

TEST_F(ShippedRecording, HoldsTheLadderAsItIsAtItsDefaultsAndTheLibrary) {
  std::map<std::string, compile::Bindings> defaults{{"cublas:fp32", {}}, {"cublas:tf32", {}}};
  std::map<std::string, uint64_t> code;
  for (const compile::CatalogueEntry& entry : compile::readCatalogue(kHome + "/kernels")) {
    if (!entry.spec || !isOfLadder(entry.spec->name)) continue;
    code[entry.spec->name] = codeHashOf(entry.source);
    for (const compile::TunableSpec& tunable : entry.spec->tunables)
      defaults[entry.spec->name][tunable.name] = tunable.defaultValue;
  }
  std::map<std::string, std::set<int64_t>> sizes;
  for (const RecordedPoint& point : recording->points) {
    const auto& kernel = recording->kernels[point.kernel];
    if (!isOfLadder(kernel.name)) continue;
    EXPECT_TRUE(point.measurement) << kernel.name;
    if (code.contains(kernel.name)) {
      EXPECT_EQ(kernel.codeHash, code[kernel.name]) << kernel.name;
    }
    if (point.tunables == defaults[kernel.name]) sizes[kernel.name].insert(point.sizes.at("m"));
  }
  EXPECT_EQ(sizes.size(), 16U);
  for (const auto& [name, at] : sizes) EXPECT_EQ(at, (std::set<int64_t>{1024, 2048, 4096})) << name;
}

TEST_F(ShippedRecording, HoldsFourKernelsAndMoreAtSixSizes) {
  std::map<std::string, std::map<int64_t, size_t>> points;
  size_t counted = 0, read = 0, timed = 0;
  for (const RecordedPoint& point : recording->points) {
    ++points[recording->kernels[point.kernel].name][point.sizes.at("m")];
    counted += point.counters ? 1 : 0;
    read += point.hardware ? 1 : 0;
    timed += point.timeline ? 1 : 0;
  }
  EXPECT_GE(points.size(), 4U);
  for (const auto& [name, bySize] : points)
    EXPECT_EQ(bySize.size(), isOfLadder(name) ? 3U : 6U) << name;
  EXPECT_EQ(points["matmul_tiled"][1024], 32U);
  EXPECT_GE(points["matmul_naive"][1024], 12U);
  EXPECT_GT(counted, recording->points.size() * 9 / 10);
  EXPECT_GT(read, recording->points.size() * 9 / 10);
  EXPECT_GT(timed, 400U);
}

/// What the lesson "What it buys" says of this GPU.
TEST_F(ShippedRecording, HoldsTheFiguresOfItsLesson) {
  const auto at = [&](const std::string& kernel, const compile::Bindings& tunables) {
    for (const RecordedPoint& point : recording->points)
      if (recording->kernels[point.kernel].name == kernel && point.sizes.at("m") == 1024 &&
          point.tunables == tunables)
        return &point;
    return static_cast<const RecordedPoint*>(nullptr);
  };
  const auto hardware = [](const RecordedPoint* point, const char* name) {
    return point->hardware->find(name)->value;
  };
  const auto tflops = [](const RecordedPoint* point) {
    return 2 * 1024.0 * 1024 * 1024 / (point->measurement->medianMs * 1e9);
  };
  const auto* naive = at("matmul_naive", {{"BLOCK_X", 16}, {"BLOCK_Y", 16}});
  const auto* tiled = at("matmul_tiled", {{"TILE_WIDTH", 16}});
  const auto* narrow = at("matmul_tiled", {{"TILE_WIDTH", 4}});
  const auto* wide = at("matmul_tiled", {{"TILE_WIDTH", 32}});
  ASSERT_TRUE(naive && tiled && narrow && wide);
  const double naiveMs = naive->measurement->medianMs;
  EXPECT_NEAR(naiveMs, 0.422, 0.0005);
  EXPECT_NEAR(tflops(naive), 5.09, 0.005);
  const auto asked = static_cast<double>(naive->counters->total.globalLoad.bytes);
  EXPECT_NEAR(asked / 1e9, 8.6, 0.05);
  EXPECT_NEAR(asked / naiveMs / 1e9, 20.4, 0.05);  // TB/s
  EXPECT_NEAR(*recording->ceilings->dramBytesPerSecond, 4.5e12, 0.05e12);
  const auto l1 = [&](const RecordedPoint* point) {
    return hardware(point, "global_load_hit_sectors") / hardware(point, "global_load_sectors");
  };
  EXPECT_NEAR(l1(naive), 0.88, 0.005);
  EXPECT_NEAR(l1(narrow), 0.41, 0.005);
  EXPECT_NEAR(hardware(naive, "dram_bytes_read"), 8.4e6, 0.05e6);
  EXPECT_NEAR(tiled->measurement->medianMs, 0.277, 0.0006);
  EXPECT_NEAR(naiveMs / tiled->measurement->medianMs, 1.52, 0.005);
  EXPECT_EQ(naive->counters->total.globalLoad.sectors,
            8 * tiled->counters->total.globalLoad.sectors);
  EXPECT_EQ(naive->counters->total.globalLoad.sectors, narrow->counters->total.globalLoad.sectors);
  const auto l2 = [&](const RecordedPoint* point) { return hardware(point, "l2_read_sectors"); };
  EXPECT_NEAR(l2(naive) / l2(tiled), 1.13, 0.005);
  EXPECT_NEAR(l2(narrow) / l2(naive), 4.73, 0.005);
  EXPECT_NEAR(narrow->measurement->medianMs / naiveMs, 3.18, 0.005);
  EXPECT_NEAR(tflops(wide), 9.03, 0.005);
  EXPECT_NEAR(tflops(wide) * 1e12 / *recording->ceilings->fp32FlopPerSecond, 0.14, 0.005);
  const double sharedBytes =
      128 * (hardware(wide, "shared_load_wavefronts") + hardware(wide, "shared_store_wavefronts"));
  EXPECT_NEAR(sharedBytes / (wide->measurement->medianMs * 1e-3) /
                  *recording->ceilings->sharedBytesPerSecond,
              0.88, 0.005);
  for (int64_t width = 1; width <= 32; ++width)
    EXPECT_LE(tflops(at("matmul_tiled", {{"TILE_WIDTH", width}})), tflops(wide)) << width;
  ASSERT_TRUE(tiled->timeline);
  const metrics::Waves waves = metrics::waves(*tiled->timeline);
  EXPECT_EQ(waves.blocksTogether, 8U);
  EXPECT_EQ(waves.lastWaveBlocks, 928U);
  EXPECT_NEAR(waves.tailShare, 0.032, 0.0005);
}

/// Fails where a kernel's code, launch or operands have changed: record it anew
/// (docs/recordings.md).
TEST_F(ShippedRecording, IsOfTheKernelsThatAreShipped) {
  for (const RecordedPoint& point : recording->points) {
    const std::string& name = recording->kernels[point.kernel].name;
    static std::map<std::string, compile::KernelSource> sources;
    if (!sources.contains(name))
      sources[name] = compile::findKernel(kHome + "/kernels", name).value();
    const auto spec = compile::parseKernel(sources[name]).value();
    const auto plan = compile::plan(spec, point.sizes, point.tunables, recording->device.limits);
    ASSERT_TRUE(plan) << plan.error().message;
    const Lookup found = lookUp(*recording, spec, codeHashOf(sources[name]), *plan, 1);
    ASSERT_EQ(found.point, &point) << name << ": " << found.nearest.why;
  }
}

/// Every product of one size is the same to the last bit, whatever kernel made it.
/// All FP32 products add in the order of k, but for blocks that share a tile and, at sizes of its
/// choice, the library.
TEST_F(ShippedRecording, ItsKernelsAgreeOnTheirResults) {
  std::map<std::pair<bool, int64_t>, std::set<uint64_t>> hashes;
  for (const RecordedPoint& point : recording->points) {
    const std::string& name = recording->kernels[point.kernel].name;
    const auto sharers = point.tunables.find("SHARERS");
    const bool shares = sharers != point.tunables.end() && sharers->second > 0;
    if (name.starts_with("cublas:") || name == "rung14_tf32" || shares) continue;
    const bool product = name.starts_with("matmul") || name.starts_with("rung");
    hashes[{product, point.sizes.at("m")}].insert(point.outputHash);
  }
  for (const auto& [of, different] : hashes) EXPECT_EQ(different.size(), 1U) << of.second;
}

}  // namespace
}  // namespace tilestep::lab
