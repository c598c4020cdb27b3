// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace tilestep::fuzz {

/// The largest single allocation since the last reset, of a program that links
/// allocation_guard.cpp: input must not make the reader ask for memory that it did not send.
[[nodiscard]] size_t largestAllocation();
void resetLargestAllocation();

}  // namespace tilestep::fuzz
