// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device/cuda/driver/context.h"
#include "device/device.h"

namespace tilestep::test {

/// Machine code of a job's first launch, for launches of any grid.
struct Code {
  cuda::LoadedModule module;
  cuda::FunctionHandle function = nullptr;
};
Result<Code> loadCode(const cuda::ContextPtr& context, const device::Job& job);

/// The outcome of a launch on buffers with any alignment.
struct Placed {
  std::vector<std::vector<std::byte>> outputs;  ///< By operand; empty for inputs and scalars.
  /// Sentences about changed bytes that nothing may write: inputs, and the guards around each
  /// buffer.
  std::vector<std::string> spoilt;
};

/// Runs the job's first launch with buffer i `shifts[i]` bytes after a boundary of 256, surrounded
/// by NaN, as outputs are before the launch. So elements that are not written, or values read from
/// outside a matrix, are visible. Inputs have the seeded fill.
Result<Placed> runPlaced(const cuda::ContextPtr& context, const Code& code, const device::Job& job,
                         const std::vector<uint32_t>& shifts);

}  // namespace tilestep::test
