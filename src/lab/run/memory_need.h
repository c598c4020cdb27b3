// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "compile/kernel.h"
#include "device/device.h"

/// The host memory that a run needs, computed before it starts. Queries the device.
namespace tilestep::lab {

struct MemoryNeed {
  device::HostMemory job;  ///< Used while the job runs.
  uint64_t outputs = 0;    ///< The part of `job` that stays in use while outputs are checked.
  uint64_t check = 0;      ///< The reference values, and the work of comparing.
  /// The need of the larger phase, running or checking. Inputs and the interpreter's own memory are
  /// released before outputs are checked.
  [[nodiscard]] uint64_t most() const;
};

[[nodiscard]] MemoryNeed memoryNeed(const compile::KernelSpec& spec, const compile::Plan& plan,
                                    const device::Job& job, const device::Device& device);

/// Cuts the job's trace so that the run stays within the limit. Error (kind request) if the rest
/// does not fit; it names the need and the limit.
Status fitIntoMemory(uint64_t limitBytes, const compile::KernelSpec& spec,
                     const compile::Plan& plan, const device::Device& device, device::Job& job);

/// Why the interpreter cannot trace a block in addition to a GPU's run; empty if it can. A limit of
/// 0 means no limit.
[[nodiscard]] std::string whyNotTraced(const device::Job& job, const device::Device& interpreter,
                                       uint64_t limitBytes);

/// An allowance for uncounted memory: threads' stacks and small objects.
[[nodiscard]] uint64_t uncountedBytes(unsigned interpreterThreads);

}  // namespace tilestep::lab
