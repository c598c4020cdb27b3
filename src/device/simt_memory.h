// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "device/device.h"
#include "device/stop.h"
#include "simt/grid.h"

namespace tilestep::device {

/// What a job's launches work on in the interpreter.
class SimtMemory {
 public:
  virtual ~SimtMemory() = default;
  /// Makes the memory; until then it is only described. False where it was stopped.
  virtual bool fill(const Stop& stop) = 0;
  /// Adds the buffers and the parameters of a launch.
  virtual void describe(simt::GridRequest& request) const = 0;
  /// What the trace calls buffers: the operands. Nothing where these are the request's buffers.
  [[nodiscard]] virtual std::optional<std::vector<simt::TraceOptions::View>> views() const {
    return std::nullopt;
  }
  /// By operand; empty for inputs and scalars. The memory is used up.
  virtual std::vector<std::vector<std::byte>> takeOutputs() = 0;
  /// With the job's `check`: elements of outputs that have a byte which nothing wrote; nothing
  /// where it was stopped, or is not asked.
  [[nodiscard]] virtual std::optional<uint64_t> unwritten(const Stop& stop) const = 0;
  /// What it takes once it is filled: the memory itself, and the marks of what was written.
  struct Need {
    uint64_t memory = 0, marks = 0;
  };
  [[nodiscard]] virtual Need need() const = 0;
};

/// The job must outlive it.
[[nodiscard]] std::unique_ptr<SimtMemory> simtMemoryOf(const Job& job);

}  // namespace tilestep::device
