// SPDX-License-Identifier: Apache-2.0
// The shipped recording is complete, small, and matches the shipped kernels.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "compile/kernel.h"
#include "lab/recording/recording_file.h"
#include "support/results.h"
#include "support/source_root.h"

namespace tilestep::lab::shipped_recording_test {

const std::string kHome = support::sourceRoot();
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

/// Whether only the labs time this kernel, at their own sizes.
bool isOfLabs(const std::string& name) {
  const bool isAlone = name == "matmul_in_memory" || name == "matrix_sum" || name == "strided_copy";
  return isAlone || name.starts_with("branch_") || name.starts_with("points_") ||
         name.starts_with("reduce_");
}

/// One machine measured all points, so that all of them are comparable (docs/measurements).
TEST_F(ShippedRecording, IsFromOneMachine) {
  ASSERT_EQ(recording->machines.size(), 1U);
  EXPECT_EQ(recording->machines[0].name, "NVIDIA H200");
  EXPECT_NE(recording->machines[0].identity, "");
  ASSERT_TRUE(recording->machines[0].ceilings);
  EXPECT_EQ(recording->machines[0].ceilings->fp32FlopPerSecond,
            recording->ceilings->fp32FlopPerSecond);
  for (const RecordedPoint& point : recording->points) EXPECT_EQ(point.machine, 1U);
}

/// The naive product with blocks of each tile width, which the tiled kernels are compared with.
TEST_F(ShippedRecording, HoldsTheNaiveProductAtEveryTileWidth) {
  for (const int64_t size : {64, 256, 512, 1024, 2048}) {
    for (int64_t width = 1; width <= 32; ++width) {
      const bool isThere = std::ranges::any_of(recording->points, [&](const RecordedPoint& point) {
        return recording->kernels[point.kernel].name == "matmul_naive" &&
               point.sizes.at("n") == size && point.tunables.at("BLOCK_X") == width &&
               point.tunables.at("BLOCK_Y") == width && point.measurement;
      });
      EXPECT_TRUE(isThere) << size << " " << width;
    }
  }
}

bool isOfLadder(const std::string& name) {
  return name.starts_with("rung") || name.starts_with("cublas:");
}

TEST_F(ShippedRecording, HoldsTheLadderAtItsDefaultsAndTheLibrary) {
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
  EXPECT_GE(sizes.size(), 16U);
  for (const auto& [name, at] : sizes) EXPECT_EQ(at, (std::set<int64_t>{1024, 2048, 4096})) << name;
}

TEST_F(ShippedRecording, HoldsAtLeastFourKernelsAtSixSizes) {
  std::map<std::string, std::map<int64_t, size_t>> points;
  size_t counted = 0, read = 0, timed = 0;
  for (const RecordedPoint& point : recording->points) {
    if (isOfLabs(recording->kernels[point.kernel].name)) continue;
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

double tflops(const RecordedPoint* point) {
  const double size = static_cast<double>(point->sizes.at("m"));
  return 2 * size * size * size / (point->measurement->medianMs * 1e9);
}

double hardwareOf(const RecordedPoint* point, const char* name) {
  return point->hardware->find(name)->value;
}

class RecordedLessons : public ShippedRecording {
 protected:
  /// Null if there is no such point.
  static const RecordedPoint* at(const std::string& kernel, int64_t size,
                                 const compile::Bindings& tunables) {
    const auto fits = [&](const RecordedPoint& point) {
      return recording->kernels[point.kernel].name == kernel && point.sizes.at("m") == size &&
             std::ranges::all_of(tunables, [&](const auto& one) {
               return point.tunables.at(one.first) == one.second;
             });
    };
    const auto found = std::ranges::find_if(recording->points, fits);
    return found == recording->points.end() ? nullptr : &*found;
  }
};

/// The lessons take their figures from this recording, but their text is fixed.
TEST_F(RecordedLessons, AgreeWithTheLessonOnTiles) {
  const auto* naive = at("matmul_naive", 1024, {{"BLOCK_X", 16}, {"BLOCK_Y", 16}});
  const auto* tiled = at("matmul_tiled", 1024, {{"TILE_WIDTH", 16}});
  const auto* narrow = at("matmul_tiled", 1024, {{"TILE_WIDTH", 4}});
  const auto* wide = at("matmul_tiled", 1024, {{"TILE_WIDTH", 32}});
  const auto* narrowNaive = at("matmul_naive", 1024, {{"BLOCK_X", 4}, {"BLOCK_Y", 4}});
  ASSERT_TRUE(naive && tiled && narrow && narrowNaive && wide);
  // The threads load more than DRAM delivers, because L1 serves most loads.
  const auto asked = static_cast<double>(naive->counters->total.globalLoad.bytes);
  const double askedPerSecond = asked / (naive->measurement->medianMs * 1e-3);
  EXPECT_GT(askedPerSecond, 2 * *recording->ceilings->dramBytesPerSecond);
  const auto l1 = [](const RecordedPoint* point) {
    return hardwareOf(point, "global_load_hit_sectors") / hardwareOf(point, "global_load_sectors");
  };
  EXPECT_GT(l1(naive), 0.8);
  EXPECT_LT(l1(narrow), 0.6 * l1(narrowNaive)) << "the tiles replace loads that L1 had served";
  EXPECT_NEAR(hardwareOf(naive, "dram_bytes_read"), 2 * 1024 * 1024 * 4, 0.01 * 8.4e6)
      << "M and N are read about once";
  // Tiles are faster, but far less than 16 times. Narrow tiles gain nothing over equal blocks.
  const double faster = naive->measurement->medianMs / tiled->measurement->medianMs;
  EXPECT_GT(faster, 1.25);
  EXPECT_LT(faster, 2);
  EXPECT_NEAR(narrow->measurement->medianMs / narrowNaive->measurement->medianMs, 1, 0.1);
  EXPECT_NEAR(hardwareOf(narrow, "l2_read_sectors") / hardwareOf(narrowNaive, "l2_read_sectors"), 1,
              0.1);
  EXPECT_GT(narrow->measurement->medianMs, 2 * naive->measurement->medianMs);
  for (int64_t width = 1; width <= 32; ++width)
    EXPECT_LE(tflops(at("matmul_tiled", 1024, {{"TILE_WIDTH", width}})), tflops(wide)) << width;
  const double sharedBytes = 128 * (hardwareOf(wide, "shared_load_wavefronts") +
                                    hardwareOf(wide, "shared_store_wavefronts"));
  EXPECT_GT(sharedBytes / (wide->measurement->medianMs * 1e-3),
            0.8 * *recording->ceilings->sharedBytesPerSecond);
}

TEST_F(RecordedLessons, AgreeWithTheLessonOnTheLadder) {
  const auto speed = [](const std::string& kernel, const compile::Bindings& tunables = {}) {
    return tflops(at(kernel, 4096, tunables));
  };
  EXPECT_LT(speed("rung04_banks", {{"PAD", 1}}), speed("rung03_tiled", {{"PAD", 0}}));
  EXPECT_LT(speed("rung03_tiled", {{"PAD", 1}}), speed("rung03_tiled", {{"PAD", 0}}));
  EXPECT_LT(tflops(at("rung06_patch_a_thread", 1024, {})),
            tflops(at("rung05_column_a_thread", 1024, {})));
  EXPECT_NEAR(speed("rung11_warp_tiles") / speed("rung10_async"), 1, 0.01);
  EXPECT_LE(speed("rung12_block_order"), speed("rung11_warp_tiles"));
  const auto* flat = at("rung10_async", 4096, {});
  const auto* compact = at("rung11_warp_tiles", 4096, {});
  EXPECT_NEAR(
      hardwareOf(compact, "shared_load_wavefronts") / hardwareOf(flat, "shared_load_wavefronts"), 1,
      0.001);
  const compile::Bindings best{{"GROUP", 4}, {"SHARERS", 1}, {"STAGES", 4}};
  EXPECT_GT(speed("rung13_top", best), speed("cublas:fp32"));
}

/// Fails if a kernel's code, launch or operands have changed. Then record it again
/// (docs/recordings.md).
TEST_F(ShippedRecording, MatchesTheShippedKernels) {
  for (const RecordedPoint& point : recording->points) {
    const std::string& name = recording->kernels[point.kernel].name;
    static std::map<std::string, compile::KernelSource> sources;
    if (!sources.contains(name))
      sources[name] = compile::findKernel(kHome + "/kernels", name).value();
    const auto spec = compile::parseKernel(sources[name]).value();
    const auto plan =
        valueOrThrow(compile::plan(spec, point.sizes, point.tunables, recording->device.limits));
    const Lookup found = lookUp(*recording, spec, codeHashOf(sources[name]), plan, 1);
    ASSERT_EQ(found.point, &point) << name << ": " << found.nearest.why;
  }
}

/// Products of one size are bit-identical in all FP32 kernels, because these add in the order of k.
/// The exceptions are blocks that share a tile and, at some sizes, the library.
TEST_F(ShippedRecording, ItsKernelsAgreeOnTheirResults) {
  std::map<std::pair<bool, int64_t>, std::set<uint64_t>> hashes;
  for (const RecordedPoint& point : recording->points) {
    const std::string& name = recording->kernels[point.kernel].name;
    const auto sharers = point.tunables.find("SHARERS");
    const bool shares = sharers != point.tunables.end() && sharers->second > 0;
    if (name.starts_with("cublas:") || name == "rung14_tf32" || shares || isOfLabs(name)) continue;
    const bool product = name.starts_with("matmul") || name.starts_with("rung");
    hashes[{product, point.sizes.at("m")}].insert(point.outputHash);
  }
  for (const auto& [of, different] : hashes) EXPECT_EQ(different.size(), 1U) << of.second;
}

}  // namespace tilestep::lab::shipped_recording_test
