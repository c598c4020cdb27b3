// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/analysis/graph.h"

namespace tilestep::ptx {

/// By node of a directed graph: the number of its strongly connected component. Source: Kosaraju's
/// algorithm, as in Sharir, A Strong-Connectivity Algorithm.
[[nodiscard]] std::vector<uint32_t> strongComponents(const Graph& edges);

}  // namespace tilestep::ptx
