// SPDX-License-Identifier: Apache-2.0
// The GPU side's arithmetic on the host; needs no GPU.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "device/cuda/counting.h"
#include "device/cuda/measure/ceilings_cache.h"

namespace tilestep::cuda {
namespace host_test {

using ptx::Count;
using ptx::CountTable;

/// Cells of `rows` epochs and one column, as kernels/probes/count.cu would fill them.
class Cells {
 public:
  explicit Cells(uint32_t rows)
      : rows_(rows), cells_(size_t{CountTable::kCopies} * CountTable::kPeriods * rows, 0) {}
  uint64_t& at(uint32_t copy, uint32_t period, uint32_t row) {
    return cells_[(copy * CountTable::kPeriods + period - 1) * rows_ + row];
  }
  [[nodiscard]] const std::vector<uint64_t>& all() const { return cells_; }

 private:
  uint32_t rows_;
  std::vector<uint64_t> cells_;
};

// Registers of an H200's multiprocessor, its threads and blocks.
TEST(RegisterLimit, LeavesThreeOfFourBlocks) {
  device::DeviceInfo info;
  EXPECT_EQ(registerLimit(info, 256, 32), 0U);  // nothing is known of the device
  info.registersPerMultiprocessor = 65536;
  info.threadsPerMultiprocessor = 2048;
  info.blocksPerMultiprocessor = 32;
  EXPECT_EQ(registerLimit(info, 256, 0), 0U);
  EXPECT_EQ(registerLimit(info, 256, 32), 40U);    // 6 of 8 blocks
  EXPECT_EQ(registerLimit(info, 64, 32), 40U);     // 24 of 32
  EXPECT_EQ(registerLimit(info, 1024, 32), 32U);   // 2 of 2
  EXPECT_EQ(registerLimit(info, 16, 32), 64U);     // a warp a block: blocks are the limit
  EXPECT_EQ(registerLimit(info, 256, 48), 64U);    // 4 of 5
  EXPECT_EQ(registerLimit(info, 256, 128), 128U);  // never fewer than the plain kernel's
}

TEST(DecodeCounts, AddsRunsOfEveryPeriodAndCopy) {
  Cells cells(6);
  cells.at(0, 1, 1) += 10;  // epochs 1, 2, 3
  cells.at(0, 1, 4) -= 10;
  cells.at(3, 2, 0) += 7;  // epochs 0, 2, 4
  const auto grid = decodeCounts(cells.all(), 6, {{{Count::ffma, 2}, {Count::fmul, 1}}}, 5);
  ASSERT_EQ(grid.epochs.size(), 6U);
  const uint64_t expected[] = {7, 10, 17, 10, 7, 0};
  for (size_t e = 0; e < 6; ++e) {
    EXPECT_EQ(grid.epochs[e].fmul, expected[e]) << e;
    EXPECT_EQ(grid.epochs[e].ffma, 2 * expected[e]) << e;
  }
  EXPECT_EQ(grid.total.fmul, 51U);
  EXPECT_FALSE(grid.epochsTruncated);
}

TEST(DecodeCounts, TheLastRowOfAFullTableHoldsPlainSums) {
  Cells cells(CountTable::kEpochs);
  cells.at(0, 1, CountTable::kEpochs - 3) += 4;  // this epoch and the next
  cells.at(0, 1, CountTable::kEpochs - 1) += 400;
  const auto grid = decodeCounts(cells.all(), CountTable::kEpochs, {{{Count::fadd, 1}}}, 5000);
  EXPECT_EQ(grid.epochs[CountTable::kEpochs - 3].fadd, 4U);
  EXPECT_EQ(grid.epochs[CountTable::kEpochs - 2].fadd, 4U);
  EXPECT_EQ(grid.epochs[CountTable::kEpochs - 1].fadd, 400U);
  EXPECT_TRUE(grid.epochsTruncated);
}

TEST(DecodeCounts, SubtractsFewestWavefronts) {
  Cells cells(1);
  cells.at(0, 1, 0) = 5;
  std::vector<uint64_t> two;
  for (const uint64_t cell : cells.all()) {
    two.push_back(cell);               // wavefronts
    two.push_back(cell == 0 ? 0 : 2);  // requests
  }
  const auto grid =
      decodeCounts(two, 1,
                   {{{Count::sharedLoadWavefronts, 1}, {Count::sharedLoadBankConflicts, 1}},
                    {{Count::sharedLoadRequests, 1}, {Count::sharedLoadBankConflicts, -1}}},
                   0);
  EXPECT_EQ(grid.total.sharedLoad.wavefronts, 5U);
  EXPECT_EQ(grid.total.sharedLoad.requests, 2U);
  EXPECT_EQ(grid.total.sharedLoad.bankConflicts, 3U);
}

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
  // One of another version, or cut off, is measured again.
  const std::string text = readTextFile(file).value();
  std::string old = text;
  old.replace(old.find("version = 2"), 11, "version = 1");
  ASSERT_TRUE(writeFileAtomically(file, old).ok());
  EXPECT_FALSE(readCeilings(file).has_value());
  for (size_t size = 0; size + 2 < text.size(); size += 7) {
    ASSERT_TRUE(writeFileAtomically(file, text.substr(0, size)).ok());
    EXPECT_FALSE(readCeilings(file).has_value()) << size;
  }
}

TEST_F(CeilingsFile, ADamagedOneIsNotBelieved) {
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

}  // namespace host_test
}  // namespace tilestep::cuda
