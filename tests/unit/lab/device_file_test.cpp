// SPDX-License-Identifier: Apache-2.0
#include "lab/devices/device_file.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/results.h"
#include "support/service.h"
#include "support/source_root.h"

namespace tilestep::lab::device_file_test {

class DeviceFiles : public testing::Test {
 protected:
  support::TemporaryFolder folder_{"devices"};
};

TEST_F(DeviceFiles, FactsAndCeilings) {
  const auto file = valueOrThrow(readDeviceFile(folder_.write("some-gpu.toml", R"(name = "Some GPU"
compute_capability = "8.6"
dram_bytes_per_second = 360e9
fp32_flop_per_second = 12_740_000_000_000
l2_bytes = 2359296
multiprocessors = 28
threads_per_multiprocessor = 1536
shared_bytes_reserved_per_block = 1024
)")));
  EXPECT_EQ(file.id, "some-gpu");
  EXPECT_EQ(file.multiprocessor.major, 8);
  EXPECT_EQ(file.multiprocessor.minor, 6);
  EXPECT_EQ(file.multiprocessor.threads, 1536U);
  const device::Ceilings ceilings = file.ceilings();
  EXPECT_FALSE(ceilings.measured);
  EXPECT_EQ(ceilings.origin, "computed from published figures");
  EXPECT_DOUBLE_EQ(*ceilings.dramBytesPerSecond, 360e9);
  EXPECT_DOUBLE_EQ(*ceilings.fp32FlopPerSecond, 12.74e12);
  EXPECT_FALSE(ceilings.l2BytesPerSecond);
}

TEST_F(DeviceFiles, InvalidFilesAreRefusedWithTheirLine) {
  const struct {
    const char* lines;
    int line;
    const char* says;
  } cases[] = {
      {"multiprocessors = -1\n", 3, "multiprocessors"},
      {"clock_mhz = 1e3\n", 3, "clock_mhz must be a whole number from 0 to 20000"},
      {"note = \"x\"\nthreads = 1024\n", 4, "unknown key 'threads'"},
      {"threads_per_multiprocessor = 1000\n", 3, "a multiple of 32"},
      {"threads_per_multiprocessor = 768\nthreads_per_block = 1024\n", 4, "at most"},
      {"shared_bytes_per_multiprocessor = 1024\nshared_bytes_per_block = 2048\n", 4, "at most"},
      {"registers_per_multiprocessor = 1024\nregisters_per_block = 2048\n", 4, "at most"},
      {"dram_bytes_per_second = 86.4\n", 3, "dram_bytes_per_second must be a number from 1e+09"},
      {"dram_bytes_per_second = nan\n", 3, "dram_bytes_per_second"},
      {"fp32_flop_per_second = \"fast\"\n", 3, "fp32_flop_per_second"},
      {"multiprocessors = 10\nclock_mhz = 1000\nfp32_flop_per_second = 1e15\n", 5, "5e+04 cores"},
      {"sources = [\"a\", 2]\n", 3, "sources must be a list of strings"},
  };
  for (const auto& one : cases) {
    const std::string head = "name = \"A\"\ncompute_capability = \"8.0\"\n";
    const auto bad = readDeviceFile(folder_.write("a.toml", head + one.lines));
    ASSERT_TRUE(fails(bad, one.says)) << one.lines;
    EXPECT_EQ(bad.error().where->line, one.line) << one.lines;
  }
  for (const char* text :
       {"name = \"B\"\n", "name = ", "name = \"D\"\ncompute_capability = \"9\"\n"})
    EXPECT_FALSE(readDeviceFile(folder_.write("b.toml", text))) << text;
  EXPECT_FALSE(readDeviceFile(folder_.path("missing.toml")));
}

TEST_F(DeviceFiles, ABrokenFileDoesNotHideTheOthers) {
  folder_.write("z.toml", "name = \"First\"\ncompute_capability = \"8.0\"\n");
  folder_.write("a.toml", "name = \"Second\"\ncompute_capability = \"8.0\"\n");
  folder_.write("broken.toml", "]");
  folder_.write("readme.md", "no device");
  std::vector<Error> errors;
  const auto files = readDeviceFiles(folder_.path(), &errors);
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].name, "First");
  EXPECT_EQ(errors.size(), 1U);
}

/// Source: arch_traits.h of NVIDIA's CUDA Core Compute Libraries. For 1.0: set_G80 in Thrust's test
/// of arch.h, and a public table for the limit of 8 blocks.
struct Specification {
  const char* capability;
  uint32_t threads, blocks, threadsPerBlock, registers, sharedKilo, sharedBlockKilo;
};
constexpr Specification kSpecifications[] = {
    {"1.0", 768, 8, 512, 8192, 16, 16},      {"6.0", 2048, 32, 1024, 65536, 64, 48},
    {"6.1", 2048, 32, 1024, 65536, 96, 48},  {"7.0", 2048, 32, 1024, 65536, 96, 96},
    {"7.5", 1024, 16, 1024, 65536, 64, 64},  {"8.0", 2048, 32, 1024, 65536, 164, 163},
    {"8.6", 1536, 16, 1024, 65536, 100, 99}, {"8.7", 1536, 16, 1024, 65536, 164, 163},
    {"8.9", 1536, 24, 1024, 65536, 100, 99}, {"9.0", 2048, 32, 1024, 65536, 228, 227},
};

TEST(DeviceFolder, EveryShippedFileHasTheLimitsOfItsCapability) {
  std::vector<Error> errors;
  const auto files = readDeviceFiles(support::sourceRoot() + "/assets/devices", &errors);
  for (const Error& error : errors) ADD_FAILURE() << toString(error);
  EXPECT_GE(files.size(), 15U);
  for (const DeviceFile& file : files) {
    const auto* at =
        std::ranges::find(kSpecifications, file.computeCapability, &Specification::capability);
    ASSERT_NE(at, std::end(kSpecifications)) << file.id;
    const metrics::Multiprocessor& sm = file.multiprocessor;
    EXPECT_EQ(sm.threads, at->threads) << file.id;
    EXPECT_EQ(sm.blocks, at->blocks) << file.id;
    EXPECT_EQ(sm.threadsPerBlock, at->threadsPerBlock) << file.id;
    EXPECT_EQ(sm.registers, at->registers) << file.id;
    EXPECT_EQ(sm.sharedBytes, at->sharedKilo * 1024) << file.id;
    EXPECT_EQ(sm.sharedBytesPerBlock, at->sharedBlockKilo * 1024) << file.id;
    EXPECT_EQ(sm.sharedBytesReservedPerBlock, sm.major >= 8 ? 1024U : 0U) << file.id;
    EXPECT_FALSE(file.sources.empty()) << file.id;
    EXPECT_TRUE(file.dramBytesPerSecond && file.fp32FlopPerSecond) << file.id;
    EXPECT_GT(file.multiprocessors, 0U) << file.id;
  }
}

}  // namespace tilestep::lab::device_file_test
