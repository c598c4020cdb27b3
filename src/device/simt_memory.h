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

/// The memory of a job's launches in the interpreter.
class SimtMemory {
 public:
  virtual ~SimtMemory() = default;
  /// Allocates and fills the memory; before this call, it is only described. False if stopped.
  virtual bool fill(const Stop& stop) = 0;
  /// Adds the buffers and the parameters of a launch.
  virtual void describe(simt::GridRequest& request) const = 0;
  /// The trace's buffers: the operands. Nothing if the request's own buffers are used.
  [[nodiscard]] virtual std::optional<std::vector<simt::TraceOptions::View>> views() const {
    return std::nullopt;
  }
  /// One element per operand, empty for inputs and scalars. Consumes the memory.
  virtual std::vector<std::vector<std::byte>> takeOutputs() = 0;
  /// With the job's `check`: the number of output elements with an unwritten byte. Nothing if
  /// stopped or not requested.
  [[nodiscard]] virtual std::optional<uint64_t> unwritten(const Stop& stop) const = 0;
  /// The memory needed after fill(): the memory itself, and the marks of written bytes.
  struct Need {
    uint64_t memory = 0, marks = 0;
  };
  [[nodiscard]] virtual Need need() const = 0;
};

/// The job must outlive the result.
[[nodiscard]] std::unique_ptr<SimtMemory> simtMemoryOf(const Job& job);

}  // namespace tilestep::device
