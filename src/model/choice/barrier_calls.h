// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/kernel.h"

/// The barriers of a kernel's source, and the kernel without one of them.
namespace tilestep::model {

/// A `__syncthreads();` in a kernel's source.
struct BarrierCall {
  uint32_t line = 0;          ///< From 1.
  size_t begin = 0, end = 0;  ///< Of the statement with its semicolon, in bytes.
};
/// In the order of the text; comments and other barriers are left out.
[[nodiscard]] std::vector<BarrierCall> barrierCalls(std::string_view source);
/// The source with that statement made a comment, as a student would do it: all other lines stay.
[[nodiscard]] std::string withoutBarrier(const std::string& source, const BarrierCall& call);

/// The entry with its barrier number `number` (from 1) taken away; nothing where it has none such.
struct ChangedKernel {
  compile::CatalogueEntry entry;
  uint32_t line = 0;
};
[[nodiscard]] std::optional<ChangedKernel> withoutBarrier(const compile::CatalogueEntry& entry,
                                                          uint32_t number);

}  // namespace tilestep::model
