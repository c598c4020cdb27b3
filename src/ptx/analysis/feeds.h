// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// (consumer, load): instruction indices. The value that the consumer stores, adds or multiplies
/// may have come from the load, unchanged for a store (through mov and selp), and also through
/// products for fma, add and sub. Flow-insensitive, so a superset: whoever uses it compares values
/// or takes the latest load. Sorted, each pair once.
[[nodiscard]] std::vector<std::pair<uint32_t, uint32_t>> feeds(const Function& function);

}  // namespace tilestep::ptx
