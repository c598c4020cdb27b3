// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "compile/kernel.h"
#include "device/device.h"

/// What a run takes of its machine's memory, counted before it starts. Pure, except for the device
/// that is asked.
namespace tilestep::lab {

struct MemoryNeed {
  device::HostMemory job;  ///< While it runs.
  uint64_t outputs = 0;    ///< What is left of that while they are checked.
  uint64_t check = 0;      ///< What they are compared with, and how.
  /// Inputs and the interpreter's own memory are given back before outputs are checked.
  [[nodiscard]] uint64_t most() const;
};

[[nodiscard]] MemoryNeed memoryNeed(const compile::KernelSpec& spec, const compile::Plan& plan,
                                    const device::Job& job, const device::Device& device);

/// Cuts the job's trace to what the limit leaves. An Error of the request where the rest does not
/// fit: it names what is needed and the limit.
Status fitIntoMemory(uint64_t limitBytes, const compile::KernelSpec& spec,
                     const compile::Plan& plan, const device::Device& device, device::Job& job);

/// Why a block is not traced in the interpreter beside a GPU's run; empty: it can be. A limit of 0
/// is none.
[[nodiscard]] std::string whyNotTraced(const device::Job& job, const device::Device& interpreter,
                                       uint64_t limitBytes);

/// What nobody counts: the stacks of threads, and what is small.
[[nodiscard]] uint64_t uncountedBytes(unsigned interpreterThreads);

}  // namespace tilestep::lab
