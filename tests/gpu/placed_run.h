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

/// The outcome of a launch on buffers that begin anywhere.
struct Placed {
  std::vector<std::vector<std::byte>> outputs;  ///< By operand; empty for inputs and scalars.
  /// Sentences about bytes that nobody may write and that changed: inputs, and around each buffer.
  std::vector<std::string> spoilt;
};

/// Runs the job's first launch with buffer i `shifts[i]` bytes behind a border of 256, in the
/// middle of memory that is full of NaN, as outputs are before: what is left out, or read from
/// outside a matrix and used, shows. Inputs are the seeded fill.
Result<Placed> runPlaced(const cuda::ContextPtr& context, const Code& code, const device::Job& job,
                         const std::vector<uint32_t>& shifts);

}  // namespace tilestep::test
