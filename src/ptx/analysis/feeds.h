// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// (consumer, load): instruction indices. The value that the consumer stores, adds or multiplies
/// may come from the load: for a store unchanged (through mov and selp), for fma, add and sub also
/// through products. Flow-insensitive and therefore a superset, so callers must compare values or
/// use the latest load. Sorted, each pair once.
[[nodiscard]] std::vector<std::pair<uint32_t, uint32_t>> feeds(const Function& function);

}  // namespace tilestep::ptx
