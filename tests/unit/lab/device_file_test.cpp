// SPDX-License-Identifier: Apache-2.0
#include "lab/device_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace tilestep::lab {
namespace {

namespace fs = std::filesystem;

class DeviceFiles : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / (std::string("devices-") + test->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  fs::path folder_;
};

TEST_F(DeviceFiles, FactsAndCeilings) {
  const auto file = readDeviceFile(write("some-gpu.toml", R"(name = "Some GPU"
compute_capability = "8.6"
dram_bytes_per_second = 360e9
fp32_flop_per_second = 12_740_000_000_000
l2_bytes = 2359296
multiprocessors = 28
threads_per_multiprocessor = 1536
shared_bytes_reserved_per_block = 1024
)"));
  ASSERT_TRUE(file) << toString(file.error());
  EXPECT_EQ(file->id, "some-gpu");
  EXPECT_EQ(file->multiprocessor.major, 8);
  EXPECT_EQ(file->multiprocessor.minor, 6);
  EXPECT_EQ(file->multiprocessor.threads, 1536U);
  const device::Ceilings ceilings = file->ceilings();
  EXPECT_FALSE(ceilings.measured);
  EXPECT_EQ(ceilings.origin, "computed from the data sheet");
  EXPECT_DOUBLE_EQ(*ceilings.dramBytesPerSecond, 360e9);
  EXPECT_DOUBLE_EQ(*ceilings.fp32FlopPerSecond, 12.74e12);
  EXPECT_FALSE(ceilings.l2BytesPerSecond);
}

TEST_F(DeviceFiles, WhatIsWrongIsNamedWithItsLine) {
  const auto bad = readDeviceFile(
      write("a.toml", "name = \"A\"\ncompute_capability = \"8.0\"\nmultiprocessors = -1\n"));
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().where->line, 3);
  EXPECT_NE(bad.error().message.find("multiprocessors"), std::string::npos);
  EXPECT_FALSE(readDeviceFile(write("b.toml", "name = \"B\"\n")));
  EXPECT_FALSE(readDeviceFile(write("c.toml", "name = ")));
  EXPECT_FALSE(readDeviceFile(write("d.toml", "name = \"D\"\ncompute_capability = \"9\"\n")));
  EXPECT_FALSE(readDeviceFile((folder_ / "missing.toml").string()));
}

TEST_F(DeviceFiles, ABrokenFileDoesNotHideTheOthers) {
  write("z.toml", "name = \"First\"\ncompute_capability = \"8.0\"\n");
  write("a.toml", "name = \"Second\"\ncompute_capability = \"8.0\"\n");
  write("broken.toml", "]");
  write("readme.md", "no device");
  std::vector<Error> errors;
  const auto files = readDeviceFiles(folder_.string(), &errors);
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].name, "First");
  EXPECT_EQ(errors.size(), 1U);
}

TEST(DeviceFolder, EveryShippedFileReads) {
  std::vector<Error> errors;
  readDeviceFiles(TILESTEP_SOURCE_DIR "/assets/devices", &errors);
  for (const Error& error : errors) ADD_FAILURE() << toString(error);
}

}  // namespace
}  // namespace tilestep::lab
