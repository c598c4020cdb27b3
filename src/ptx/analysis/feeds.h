// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// Pairs of instruction indices (consumer, load), sorted and unique. A consumer is a store or a sum
/// (fma, add, sub) that may use the loaded value: unchanged (through mov and selp) or, for a sum,
/// also through products. The analysis is flow-insensitive and returns a superset, so callers must
/// compare values or use the latest load.
[[nodiscard]] std::vector<std::pair<uint32_t, uint32_t>> feeds(const Function& function);

}  // namespace tilestep::ptx
