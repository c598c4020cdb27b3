// SPDX-License-Identifier: Apache-2.0
#include "simt/run/residency.h"

#include <algorithm>

namespace tilestep::simt {
namespace {

/// Limits of an NVIDIA H200 (assets/devices/nvidia-h200.toml). The system reserves 1 KiB of shared
/// memory per block.
constexpr uint64_t kMultiprocessors = kImitatedMultiprocessors, kThreads = 2048, kBlocks = 32,
                   kShared = 233472, kSharedOfSystem = 1024;
constexpr uint64_t kMostHostBytes = uint64_t{2} << 30;

}  // namespace

Residency residencyOf(const Launch& launch, uint32_t sharedBytes, uint64_t hostBytes) {
  const uint64_t threads = (std::max<uint64_t>(launch.block.count(), 1) + 31) / 32 * 32;
  const uint64_t each =
      std::min({kBlocks, kThreads / threads, kShared / (sharedBytes + kSharedOfSystem)});
  const uint64_t onGpu = std::max<uint64_t>(1, kMultiprocessors * each);
  const uint64_t here = std::max<uint64_t>(1, kMostHostBytes / std::max<uint64_t>(hostBytes, 1));
  if (here < onGpu) return {here, "the interpreter (2 GiB of memory)"};
  return {onGpu, "an NVIDIA H200"};
}

std::string tooManyBlocks(const Launch& launch, const Residency& residency) {
  return "The grid has " + std::to_string(launch.grid.count()) + " blocks, and " +
         std::to_string(residency.blocks) + " of this shape can be resident at once on " +
         residency.where;
}

}  // namespace tilestep::simt
