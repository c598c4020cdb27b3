// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "device/device.h"
#include "simt/grid.h"

/// Helpers for tests that interpret programs rewritten for a GPU.
namespace tilestep::test {

using Bytes = std::vector<std::byte>;

/// A job's buffers and scalars in this process's memory.
class InterpretedOperands {
 public:
  /// Filled as for a device's run. The job has neither symbols nor structures.
  explicit InterpretedOperands(const device::Job& job);

  /// A launch on these operands, which must outlive it.
  [[nodiscard]] simt::GridRequest request(const ptx::Module& module, const Launch& launch);

  std::vector<Bytes> memory;  ///< By operand; empty for scalars.

 private:
  std::vector<uint64_t> parameters_;
};

/// Adds memory that the launch may access, and returns its address in the launch. `symbol` is the
/// module's variable in this memory.
uint64_t addMemory(simt::GridRequest& request, Bytes& memory, const std::string& symbol = {});
/// Adds memory, and its address as the launch's next parameter.
void addPointer(simt::GridRequest& request, Bytes& memory);

/// Runs a launch. Also returns an Error if the program has a fault.
Result<simt::GridResult> runWell(const simt::GridRequest& request);

}  // namespace tilestep::test
