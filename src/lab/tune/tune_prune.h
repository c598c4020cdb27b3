// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "lab/tune/tune_candidates.h"

/// What an autotuner need not time. Pure, and careful: a candidate is dropped only for a reason
/// that a sentence can say, and only where another one is free of it.
namespace tilestep::lab {

/// A multiprocessor has four schedulers: fewer warps leave some without any.
constexpr uint32_t kLeastWarps = 4;
/// A candidate that can use at most a quarter of what another one can use is dropped.
constexpr double kSharesApart = 4;
/// Below so many operations a launch is over before it has spread, and nothing is said of shares.
constexpr double kMuchWork = 1e9;
/// Local memory of so many bytes a thread may be a spill that costs nothing.
constexpr uint32_t kFewLocalBytes = 32;

/// The share of the GPU's lanes that can be busy at best: whole rounds of a block a multiprocessor,
/// and whole warps. 1 where the launch or the device is not known.
[[nodiscard]] double usableShare(const Candidate& candidate, const device::DeviceInfo& device);

/// By candidate: why it is not worth compiling; empty: it is. Judges warps by threads and shared
/// memory, and usable shares where the kernel has much work.
[[nodiscard]] std::vector<std::string> pruneByPlan(const Candidates& candidates,
                                                   const device::DeviceInfo& device);

/// What loading the machine code told.
struct MachineCode {
  uint32_t registers = 0, localBytes = 0, sharedBytes = 0;
};

/// Why a compiled candidate is not worth timing; empty: it is. `othersSpillNothing`: another
/// candidate has no local memory. `othersHaveWarps`: another one has kLeastWarps or more.
[[nodiscard]] std::string pruneByMachineCode(const Candidate& candidate, const MachineCode& code,
                                             const device::DeviceInfo& device,
                                             bool othersSpillNothing, bool othersHaveWarps);

/// Resident warps of a multiprocessor; nothing where its limits or the launch are not known.
[[nodiscard]] std::optional<uint32_t> warpsOf(const Candidate& candidate, uint32_t sharedBytes,
                                              uint32_t registers, const device::DeviceInfo& device);

}  // namespace tilestep::lab
