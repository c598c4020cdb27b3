// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/analysis/graph.h"

namespace tilestep::ptx {

/// For each node, the index of its strongly connected component, by Kosaraju's algorithm (Sharir, A
/// Strong-Connectivity Algorithm).
[[nodiscard]] std::vector<uint32_t> strongComponents(const Graph& edges);

}  // namespace tilestep::ptx
