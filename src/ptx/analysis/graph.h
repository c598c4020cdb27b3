// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace tilestep::ptx {

/// A directed graph. By node: the nodes that its edges lead to.
using Graph = std::vector<std::vector<uint32_t>>;

[[nodiscard]] Graph reversed(const Graph& edges);

/// Which nodes of a graph lead back to themselves: the loops of a control-flow graph, registers
/// that are computed from themselves, functions that call each other.
struct Cycles {
  std::vector<uint32_t> component;  ///< By node. Nodes that lead to each other share a number.
  std::vector<bool> cyclic;         ///< By node: some way leads from it back to it.
};
[[nodiscard]] Cycles cyclesOf(const Graph& edges);

}  // namespace tilestep::ptx
