// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "lab/experiment.h"

namespace tilestep::lab {

/// The most lines of a kernel's file: its bytes are no more.
inline constexpr uint32_t kMostSourceLines = uint32_t{1} << 24;

/// The number of lines of a source; one that ends with a line break has an empty one after it.
[[nodiscard]] uint32_t sourceLinesOf(std::string_view text);

/// An Error if the result's trace, faults, hazards, printed texts or uncertain counts name a line
/// of the kernel's source above `lines`. Pure.
Status checkLines(const RunResult& result, uint32_t lines);

}  // namespace tilestep::lab
