// SPDX-License-Identifier: Apache-2.0
#include "lab/devices/device_pool.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "lab/recording/recording_file.h"
#include "support/results.h"
#include "unit/lab/recording_samples.h"

namespace tilestep::lab::device_pool_test {

using Names = std::vector<std::string>;

Names noGpu() {
  return {};
}
Names oneGpu() {
  return {"A"};
}
Names mixedGpus() {
  return {"A", "B", "A", "A"};
}
Names mustNotAsk() {
  ADD_FAILURE() << "CUDA was used";
  return {};
}

TEST(DeviceName, AutoDealsOutGpusOfOneModelInTurn) {
  EXPECT_EQ(resolveDevice("auto", &oneGpu)->kind, DeviceName::Kind::cuda);
  EXPECT_EQ(resolveDevice("auto", &noGpu)->kind, DeviceName::Kind::simt);
  EXPECT_EQ(resolveDevice("auto:5", &noGpu)->kind, DeviceName::Kind::simt);
  EXPECT_EQ(resolveDevice("auto:5", &oneGpu)->ordinal, 0U);
  EXPECT_EQ(resolveDevice("auto", &mixedGpus)->ordinal, 0U);
  std::vector<unsigned> dealt;
  for (int i = 0; i < 7; ++i)
    dealt.push_back(resolveDevice("auto:" + std::to_string(i), &mixedGpus)->ordinal);
  EXPECT_EQ(dealt, (std::vector<unsigned>{0, 2, 3, 0, 2, 3, 0}));
  EXPECT_EQ(resolveDevice("simt", &mustNotAsk)->kind, DeviceName::Kind::simt);
  EXPECT_EQ(resolveDevice("cuda:12", &mustNotAsk)->ordinal, 12U);
}

TEST(DeviceName, UnknownNamesAreRefusedWithTheValidNames) {
  for (const char* bad : {"", "gpu", "cuda", "cuda:", "cuda:x", "cuda:-1", "cuda:1x",
                          "auto:", "auto:x", "recorded", "recorded:"}) {
    EXPECT_TRUE(fails(resolveDevice(bad, &mustNotAsk), ErrorKind::request,
                      "auto, simt, cuda:N and recorded:NAME"))
        << bad;
  }
}

TEST(DeviceName, RecordingsAreFoundByNameOrPath) {
  EXPECT_EQ(resolveDevice("recorded:nvidia-h200", &mustNotAsk)->recording, "nvidia-h200");
  EXPECT_EQ(recordingFile("/home", "nvidia-h200"), "/home/assets/recordings/nvidia-h200.tsrec");
  EXPECT_EQ(recordingFile("/home", "./mine"), "./mine");
  EXPECT_EQ(recordingFile("/home", "mine.tsrec"), "mine.tsrec");
}

TEST(DevicePool, ARecordingOpensOnceAndIsListed) {
  const auto home = std::filesystem::path(testing::TempDir()) / "recordings-home";
  const auto file = home / "assets" / "recordings" / "some-gpu.tsrec";
  ASSERT_TRUE(writeFileAtomically(file, encodeRecording(sample::recording()).value()));
  ASSERT_TRUE(writeFileAtomically(home / "assets" / "recordings" / "broken.tsrec", "no"));
  DevicePool pool(1, home.string());
  const auto opened = valueOrThrow(pool.open("recorded:some-gpu"));
  EXPECT_EQ(opened->info().id, "recorded:some-gpu");
  EXPECT_EQ(opened->info().recordedOn, "2026-11-21");
  EXPECT_EQ(pool.open("recorded:some-gpu").value(), opened);
  EXPECT_EQ(pool.list().back().id, "recorded:some-gpu");
  EXPECT_EQ(pool.recorded("simt").value(), nullptr);
  EXPECT_TRUE(fails(pool.open("recorded:broken"), ErrorKind::request, "broken.tsrec is refused"));
  EXPECT_TRUE(fails(pool.open("recorded:none"), "recorded:some-gpu"));
  std::filesystem::remove_all(home);
}

TEST(DevicePool, OpensTheInterpreterOnceAndListsItFirst) {
  DevicePool pool(1);
  const auto first = pool.open("simt"), second = pool.open("simt");
  ASSERT_TRUE(first && second);
  EXPECT_EQ(*first, *second);
  EXPECT_EQ(pool.list().front().id, "simt");
}

}  // namespace tilestep::lab::device_pool_test
