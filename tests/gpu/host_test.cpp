// SPDX-License-Identifier: Apache-2.0
// The GPU side's arithmetic on the host; needs no GPU.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "base/files.h"
#include "device/cuda/measure/ceilings_cache.h"

namespace tilestep::cuda::host_test {

class CeilingsFile : public ::testing::Test {
 protected:
  CeilingsFile()
      : folder_(std::filesystem::temp_directory_path() /
                ("tilestep-ceilings-file-" + std::to_string(getpid()))) {}
  ~CeilingsFile() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_;
};

TEST_F(CeilingsFile, ComesBackAsWritten) {
  device::Ceilings kept;
  kept.device = "A \"quoted\" GPU";
  kept.origin = "measured 2026-11-20";
  kept.measured = true;
  kept.dramBytesPerSecond = 4.5e12;
  kept.l2BytesPerSecond = 7e12;
  kept.l1BytesPerSecond = 3e13;
  kept.sharedBytesPerSecond = 3.1e13;
  kept.fp32FlopPerSecond = 6.36e13;
  kept.dramCopyBytesPerSecond = 4e12;
  kept.launchSeconds = 2.25e-6;
  kept.launchAndWaitSeconds = 7.5e-6;
  kept.dramLatencySeconds = 4e-7;
  kept.l2LatencySeconds = 1.5e-7;
  kept.l1LatencySeconds = 2e-8;
  kept.sharedLatencySeconds = 1.5e-8;
  kept.instructionSeconds = 2e-9;
  kept.barrierSeconds = 1.5e-8;
  kept.blockStartSeconds = 6e-10;
  kept.kernelStartSeconds = 1e-6;
  const auto file = ceilingsFile(folder_.string(), kept.device, "1", "13.0", "ptx");
  ASSERT_TRUE(writeCeilings(file, kept).ok());
  const auto read = readCeilings(file);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->device, kept.device);
  EXPECT_EQ(read->origin, kept.origin);
  EXPECT_DOUBLE_EQ(*read->l2BytesPerSecond, 7e12);
  EXPECT_DOUBLE_EQ(*read->fp32FlopPerSecond, 6.36e13);
  EXPECT_DOUBLE_EQ(*read->dramCopyBytesPerSecond, 4e12);
  EXPECT_DOUBLE_EQ(*read->launchSeconds, 2.25e-6);
  EXPECT_DOUBLE_EQ(*read->launchAndWaitSeconds, 7.5e-6);
  EXPECT_DOUBLE_EQ(*read->dramLatencySeconds, 4e-7);
  EXPECT_DOUBLE_EQ(*read->blockStartSeconds, 6e-10);
  // A file of another version, or a truncated one, is ignored.
  const std::string text = readTextFile(file).value();
  std::string old = text;
  old.replace(old.find("version = 3"), 11, "version = 2");
  ASSERT_TRUE(writeFileAtomically(file, old).ok());
  EXPECT_FALSE(readCeilings(file).has_value());
  for (size_t size = 0; size + 2 < text.size(); size += 7) {
    ASSERT_TRUE(writeFileAtomically(file, text.substr(0, size)).ok());
    EXPECT_FALSE(readCeilings(file).has_value()) << size;
  }
}

TEST_F(CeilingsFile, ADamagedFileIsIgnored) {
  const auto file = ceilingsFile(folder_.string(), "GPU", "1", "13.0", "ptx");
  std::filesystem::create_directories(file.parent_path());
  for (const char* text : {"", "device = ", "device = \"GPU\"\norigin = \"x\"\n",
                           "device = \"GPU\"\norigin = \"x\"\ndram_bytes_per_second = -1.0\n"}) {
    ASSERT_TRUE(writeFileAtomically(file, text).ok());
    EXPECT_FALSE(readCeilings(file).has_value()) << text;
  }
}

TEST_F(CeilingsFile, EachGpuDriverAndKernelHasItsOwn) {
  const auto file = ceilingsFile("c", "GPU", "1", "13.0", "ptx");
  EXPECT_NE(file, ceilingsFile("c", "GPU", "1", "12.9", "ptx"));
  EXPECT_NE(file, ceilingsFile("c", "GPU", "1", "13.0", "other"));
  EXPECT_NE(file, ceilingsFile("c", "GPU 2", "1", "13.0", "ptx"));
  EXPECT_NE(file, ceilingsFile("c", "GPU", "2", "13.0", "ptx"));
}

}  // namespace tilestep::cuda::host_test
