// SPDX-License-Identifier: Apache-2.0
// Compares our occupancy with the toolkit's cuda_occupancy.h, if that header is installed: for
// every kernel, tunable and architecture of a sweep, and for a sweep over plain numbers. The header
// needs no GPU. It rejects compute capability 1.x and 2.x, for which metrics/occupancy_test.cpp
// compares with the textbook.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/toolkit.h"
#include "lab/devices/device_file.h"
#include "lab/figures.h"
#include "support/skips.h"
#include "support/source_root.h"

#ifdef TILESTEP_HAS_CUDA_OCCUPANCY
#include <cuda_occupancy.h>
#endif

namespace tilestep::lab::cuda_occupancy_test {

#ifdef TILESTEP_HAS_CUDA_OCCUPANCY

using metrics::BlockNeeds;
using metrics::Multiprocessor;

constexpr uint32_t kKilo = 1024;

struct Chip {
  int major, minor;
  uint32_t threads, blocks, registers, registersPerBlock, sharedKilo, sharedBlockKilo;
};
/// NVIDIA's published limits. Both sides get the same limits, so only the calculation is compared.
constexpr Chip kChips[] = {
    {3, 5, 2048, 16, 65536, 65536, 48, 48},    {3, 7, 2048, 16, 131072, 65536, 112, 48},
    {5, 0, 2048, 32, 65536, 65536, 64, 48},    {5, 2, 2048, 32, 65536, 65536, 96, 48},
    {5, 3, 2048, 32, 65536, 32768, 64, 48},    {6, 0, 2048, 32, 65536, 65536, 64, 48},
    {6, 1, 2048, 32, 65536, 65536, 96, 48},    {6, 2, 2048, 32, 65536, 32768, 64, 48},
    {7, 0, 2048, 32, 65536, 65536, 96, 96},    {7, 2, 2048, 32, 65536, 65536, 96, 96},
    {7, 5, 1024, 16, 65536, 65536, 64, 64},    {8, 0, 2048, 32, 65536, 65536, 164, 163},
    {8, 6, 1536, 16, 65536, 65536, 100, 99},   {8, 7, 1536, 16, 65536, 65536, 164, 163},
    {8, 9, 1536, 24, 65536, 65536, 100, 99},   {9, 0, 2048, 32, 65536, 65536, 228, 227},
    {10, 0, 2048, 32, 65536, 65536, 228, 227}, {12, 0, 1536, 24, 65536, 65536, 100, 99},
};

Multiprocessor multiprocessorOf(const Chip& chip) {
  return {.major = chip.major,
          .minor = chip.minor,
          .threads = chip.threads,
          .blocks = chip.blocks,
          .registers = chip.registers,
          .sharedBytes = chip.sharedKilo * kKilo,
          .sharedBytesReservedPerBlock = chip.major >= 8 ? kKilo : 0,
          .threadsPerBlock = 1024,
          .sharedBytesPerBlock = chip.sharedBlockKilo * kKilo,
          .registersPerBlock = chip.registersPerBlock};
}

std::vector<Multiprocessor> architectures() {
  std::vector<Multiprocessor> all;
  for (const Chip& chip : kChips) all.push_back(multiprocessorOf(chip));
  for (const DeviceFile& file : readDeviceFiles(support::sourceRoot() + "/assets/devices")) {
    if (file.multiprocessor.major >= 3) all.push_back(file.multiprocessor);
  }
  return all;
}

cudaOccDeviceProp propertiesOf(const Multiprocessor& device) {
  cudaOccDeviceProp properties;
  properties.computeMajor = device.major;
  properties.computeMinor = device.minor;
  properties.maxThreadsPerBlock = static_cast<int>(device.threadsPerBlock);
  properties.maxThreadsPerMultiprocessor = static_cast<int>(device.threads);
  properties.regsPerBlock =
      static_cast<int>(device.registersPerBlock != 0 ? device.registersPerBlock : device.registers);
  properties.regsPerMultiprocessor = static_cast<int>(device.registers);
  properties.warpSize = 32;
  properties.sharedMemPerBlock = 48 * kKilo;
  properties.sharedMemPerMultiprocessor = device.sharedBytes;
  properties.numSms = 1;
  properties.sharedMemPerBlockOptin = device.sharedBytesPerBlock;
  properties.reservedSharedMemPerBlock = device.sharedBytesReservedPerBlock;
  return properties;
}

/// The toolkit's result; its block count is -1 if it returns an error.
cudaOccResult toolkit(const Multiprocessor& device, const BlockNeeds& needs) {
  const cudaOccDeviceProp properties = propertiesOf(device);
  cudaOccFuncAttributes attributes;
  attributes.maxThreadsPerBlock = INT_MAX;
  attributes.numRegs = static_cast<int>(needs.registersPerThread);
  attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  attributes.maxDynamicSharedSizeBytes = needs.sharedBytes;
  attributes.numBlockBarriers = 1;
  const cudaOccDeviceState state;
  cudaOccResult result{};
  const cudaOccError error =
      cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &state,
                                              static_cast<int>(needs.threads), needs.sharedBytes);
  if (error != CUDA_OCC_SUCCESS) result.activeBlocksPerMultiprocessor = -1;
  return result;
}

std::string describe(const Multiprocessor& device, const BlockNeeds& needs) {
  return std::to_string(device.major) + "." + std::to_string(device.minor) + ": " +
         std::to_string(needs.threads) + " threads, " + std::to_string(needs.registersPerThread) +
         " registers, " + std::to_string(needs.sharedBytes) + " B";
}

const metrics::ResourceLimit* limitOf(const metrics::Occupancy& occupancy, const char* name) {
  for (const metrics::ResourceLimit& limit : occupancy.limits) {
    if (limit.name == name) return &limit;
  }
  return nullptr;
}

/// False, and a test failure, if any value differs.
bool same(const Multiprocessor& device, const BlockNeeds& needs) {
  const metrics::Occupancy ours = metrics::occupancy(device, needs);
  const cudaOccResult theirs = toolkit(device, needs);
  EXPECT_EQ(ours.blocks, static_cast<uint32_t>(theirs.activeBlocksPerMultiprocessor))
      << describe(device, needs) << " " << ours.refusal;
  const metrics::ResourceLimit* shared = limitOf(ours, "shared memory");
  EXPECT_EQ(shared ? shared->takenPerBlock : 0, theirs.allocatedSharedMemPerBlock);
  if (!ours.refusal.empty()) return !testing::Test::HasFailure();
  const auto agrees = [&](const char* name, int limit) {
    const metrics::ResourceLimit* found = limitOf(ours, name);
    EXPECT_EQ(found ? found->blocks : static_cast<uint32_t>(INT_MAX), static_cast<uint32_t>(limit))
        << name << ", " << describe(device, needs);
  };
  agrees("threads", theirs.blockLimitWarps);
  agrees("registers", theirs.blockLimitRegs);
  agrees("shared memory", theirs.blockLimitSharedMem);
  agrees("blocks", theirs.blockLimitBlocks);
  const metrics::ResourceLimit* registers = limitOf(ours, "registers");
  if (registers) {
    EXPECT_EQ(registers->takenPerBlock, static_cast<uint64_t>(theirs.allocatedRegistersPerBlock));
  }
  return !testing::Test::HasFailure();
}

/// Every value of a short range; of a long range, small values and those near powers of two.
std::vector<int64_t> valuesOf(const compile::TunableSpec& tunable) {
  if (!tunable.values.empty()) return tunable.values;
  const bool isShort = tunable.maximum - tunable.minimum <= 64;
  std::vector<int64_t> values;
  for (int64_t v = tunable.minimum; v <= tunable.maximum;) {
    values.push_back(v);
    v += isShort || v < 8 ? tunable.step : std::max(tunable.step, v / 2);
  }
  values.push_back(tunable.maximum);
  return values;
}

/// All combinations of one or two tunables. With more tunables, varies one at a time.
std::vector<compile::Bindings> spread(const compile::KernelSpec& spec) {
  std::vector<compile::Bindings> all{{}};
  const bool few = spec.tunables.size() <= 2;
  for (const compile::TunableSpec& tunable : spec.tunables) {
    const std::vector<compile::Bindings> before = few ? all : std::vector<compile::Bindings>{{}};
    if (few) all.clear();
    for (compile::Bindings base : before) {
      for (const int64_t value : valuesOf(tunable)) {
        base[tunable.name] = value;
        all.push_back(base);
      }
    }
  }
  return all;
}

class CudaOccupancy : public testing::Test {
 protected:
  void SetUp() override {
    const auto hidden = isToolkitHidden();
    if (hidden && *hidden) GTEST_SKIP() << support::because(support::kNoToolkit, "it is hidden");
  }
};

TEST_F(CudaOccupancy, EqualForEveryKernelTunableAndArchitecture) {
  const std::vector<Multiprocessor> chips = architectures();
  Limits limits;
  limits.sharedBytesPerBlockOptIn = 227 * kKilo;
  size_t kernels = 0, compared = 0;
  for (const auto& entry : compile::readCatalogue(support::sourceRoot() + "/kernels")) {
    ASSERT_TRUE(entry.spec) << entry.source.path;
    ++kernels;
    std::set<std::pair<uint32_t, uint32_t>> seen;
    for (const compile::Bindings& tunables : spread(*entry.spec)) {
      const auto plan = compile::plan(*entry.spec, {}, tunables, limits);
      if (!plan) continue;  // The kernel's rules forbid this combination.
      const BlockNeeds needs = needsOf(*plan, plannedSharedBytes(*plan), 0);
      if (!seen.insert({needs.threads, needs.sharedBytes}).second) continue;
      for (const Multiprocessor& chip : chips) {
        for (const uint32_t registers : {0U, 16U, 32U, 40U, 64U, 128U, 255U}) {
          ++compared;
          ASSERT_TRUE(same(chip, {needs.threads, registers, needs.sharedBytes}))
              << entry.spec->name;
        }
      }
    }
  }
  EXPECT_GE(kernels, 18U);
  EXPECT_GT(compared, 50000U);
}

TEST_F(CudaOccupancy, EqualsTheToolkitsForAnyBlockRegistersAndSharedMemory) {
  for (const Multiprocessor& chip : architectures()) {
    for (uint32_t threads = 1; threads <= 1056; threads += threads < 36 ? 7 : 31) {
      for (uint32_t registers = 0; registers <= 255; registers += registers < 8 ? 3 : 13) {
        for (const uint32_t bytes : {0U, 1U, 128U, 129U, 1000U, 2048U, 10240U, 33000U, 49152U,
                                     65536U, 101376U, 101377U, 166912U, 232448U, 232449U}) {
          ASSERT_TRUE(same(chip, {threads, registers, bytes}));
        }
      }
    }
  }
}

#else

TEST(CudaOccupancy, EqualToTheToolkits) {
  GTEST_SKIP() << support::because(support::kNoToolkit,
                                   "cuda_occupancy.h was not found when this was built");
}

#endif

}  // namespace tilestep::lab::cuda_occupancy_test
