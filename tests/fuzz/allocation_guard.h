// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace tilestep::fuzz {

/// The largest single allocation since the last reset. Works in programs that link
/// allocation_guard.cpp. An input must not make the reader allocate memory that the input did not
/// send.
[[nodiscard]] size_t largestAllocation();
void resetLargestAllocation();

}  // namespace tilestep::fuzz
