// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "lab/tune/tune_candidates.h"

/// Decides which candidates an autotuner need not time. Pure and conservative: a candidate is
/// dropped only for a reason that a sentence can state, and only if another candidate does not have
/// that flaw.
namespace tilestep::lab {

/// A multiprocessor has four schedulers; with fewer warps, some have no warp to issue.
constexpr uint32_t kLeastWarps = 4;
/// A candidate is dropped if another one can use at least four times its share of the GPU.
constexpr double kSharesApart = 4;
/// Launches with fewer operations end before they occupy the GPU, so their shares are not judged.
constexpr double kMuchWork = 1e9;
/// Up to this many bytes of local memory per thread may be a spill without cost.
constexpr uint32_t kFewLocalBytes = 32;

/// The largest share of the GPU's lanes that can be busy, given whole waves of one block per
/// multiprocessor and whole warps. 1 if the launch or the device is not known.
[[nodiscard]] double usableShare(const Candidate& candidate, const device::DeviceInfo& device);

/// For each candidate, why it is not worth compiling; empty if it is. The number of warps follows
/// from threads and shared memory. Usable shares are judged if the kernel has much work.
[[nodiscard]] std::vector<std::string> pruneByPlan(const Candidates& candidates,
                                                   const device::DeviceInfo& device);

/// Properties of loaded machine code.
struct MachineCode {
  uint32_t registers = 0, localBytes = 0, sharedBytes = 0;
};

/// Why a compiled candidate is not worth timing; empty if it is. `othersSpillNothing` if another
/// candidate uses no local memory, `othersHaveWarps` if another one has kLeastWarps or more.
[[nodiscard]] std::string pruneByMachineCode(const Candidate& candidate, const MachineCode& code,
                                             const device::DeviceInfo& device,
                                             bool othersSpillNothing, bool othersHaveWarps);

/// Resident warps of a multiprocessor; nothing if its limits or the launch are unknown.
[[nodiscard]] std::optional<uint32_t> warpsOf(const Candidate& candidate, uint32_t sharedBytes,
                                              uint32_t registers, const device::DeviceInfo& device);

}  // namespace tilestep::lab
