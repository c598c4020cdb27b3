// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/kernel.h"

/// Finds the barriers in a kernel's source and removes one of them.
namespace tilestep::model {

/// A `__syncthreads();` or a `__syncwarp();` in a kernel's source.
struct BarrierCall {
  uint32_t line = 0;          ///< From 1.
  size_t begin = 0, end = 0;  ///< The byte range of the statement, including its semicolon.
  bool ofWarp = false;        ///< `__syncwarp`
};
/// The calls in source order. Omits calls in comments, other kinds of barrier, and calls with
/// arguments or with a comment between their parentheses.
[[nodiscard]] std::vector<BarrierCall> barrierCalls(std::string_view source);
/// The source with the statement commented out, as a student would do it. Line numbers do not
/// change.
[[nodiscard]] std::string withoutBarrier(const std::string& source, const BarrierCall& call);

/// The entry with barrier number `number` (counted from 1) removed; absent if there is no such
/// barrier.
struct ChangedKernel {
  compile::CatalogueEntry entry;
  uint32_t line = 0;
};
[[nodiscard]] std::optional<ChangedKernel> withoutBarrier(const compile::CatalogueEntry& entry,
                                                          uint32_t number);

}  // namespace tilestep::model
