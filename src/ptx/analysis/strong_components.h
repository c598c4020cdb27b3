// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace tilestep::ptx {

/// By node of a directed graph: the number of its strongly connected component.
/// `edges[node]` are its successors. Tarjan's algorithm without recursion.
[[nodiscard]] std::vector<uint32_t> strongComponents(
    const std::vector<std::vector<uint32_t>>& edges);

}  // namespace tilestep::ptx
