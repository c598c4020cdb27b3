// SPDX-License-Identifier: Apache-2.0
// The recording that is shipped: whole, small, and of the kernels that are shipped.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "compile/kernel.h"
#include "lab/recording_file.h"

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
  for (const auto& [name, bySize] : points) EXPECT_EQ(bySize.size(), 6U) << name;
  EXPECT_EQ(points["matmul_tiled"][1024], 32U);
  EXPECT_GE(points["matmul_naive"][1024], 12U);
  EXPECT_GT(counted, recording->points.size() * 9 / 10);
  EXPECT_GT(read, recording->points.size() * 9 / 10);
  EXPECT_GT(timed, 400U);
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
TEST_F(ShippedRecording, ItsKernelsAgreeOnTheirResults) {
  std::map<std::pair<bool, int64_t>, std::set<uint64_t>> hashes;
  for (const RecordedPoint& point : recording->points) {
    const bool product = recording->kernels[point.kernel].name.starts_with("matmul");
    hashes[{product, point.sizes.at("m")}].insert(point.outputHash);
  }
  for (const auto& [of, different] : hashes) EXPECT_EQ(different.size(), 1U) << of.second;
}

}  // namespace
}  // namespace tilestep::lab
