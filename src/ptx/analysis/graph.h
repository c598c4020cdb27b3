// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilestep::ptx {

/// Whether a property holds, for each node.
using Bits = std::vector<bool>;

/// The indices of the set bits, ascending.
inline std::vector<uint32_t> numbersOf(const Bits& bits) {
  std::vector<uint32_t> numbers;
  for (uint32_t i = 0; i < bits.size(); ++i) {
    if (bits[i]) numbers.push_back(i);
  }
  return numbers;
}

/// A directed graph: for each node, the targets of its edges.
using Graph = std::vector<std::vector<uint32_t>>;

[[nodiscard]] Graph reversed(const Graph& edges);

/// Appends `root` and the nodes reachable from it to `order`, in depth-first postorder. Skips nodes
/// that are already `seen`, and marks the others.
void appendPostorder(const Graph& edges, uint32_t root, Bits& seen, std::vector<uint32_t>& order);

/// The nodes of a graph that are on cycles, such as loops of basic blocks, or registers that are
/// computed from themselves.
struct Cycles {
  std::vector<uint32_t> component;  ///< For each node, its strongly connected component.
  std::vector<bool> cyclic;         ///< For each node, whether it is on a cycle.
};
[[nodiscard]] Cycles cyclesOf(const Graph& edges);

}  // namespace tilestep::ptx
