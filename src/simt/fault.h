// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/dim3.h"
#include "ptx/ir.h"

namespace tilestep::simt {

/// A mistake of the program, or a feature that the interpreter does not support.
struct Fault {
  std::string kind;  ///< "out-of-bounds", "misaligned", "deadlock", "unsupported-instruction", …
  uint32_t line = 0;
  Dim3 thread{0, 0, 0};
  Dim3 block{0, 0, 0};
  /// The number of barriers that the thread's warp had passed; absent if no warp was running.
  std::optional<uint32_t> epoch;
  uint64_t address = 0;
  uint64_t count = 1;
  std::string message;
};

/// If a fault of the same kind and line exists, increases its count; otherwise appends `fault`.
void addFault(std::vector<Fault>& faults, Fault fault);

[[nodiscard]] std::string toText(const Dim3& index);  ///< "(1, 0, 0)"

}  // namespace tilestep::simt
