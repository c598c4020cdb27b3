// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilestep::ptx {

/// By node: whether a property holds.
using Bits = std::vector<bool>;

/// The indices of the set bits, ascending.
inline std::vector<uint32_t> numbersOf(const Bits& bits) {
  std::vector<uint32_t> numbers;
  for (uint32_t i = 0; i < bits.size(); ++i) {
    if (bits[i]) numbers.push_back(i);
  }
  return numbers;
}

/// A directed graph. By node: the targets of its edges.
using Graph = std::vector<std::vector<uint32_t>>;

[[nodiscard]] Graph reversed(const Graph& edges);

/// Appends to `order` each node that is reachable from `root`, including itself, and not yet
/// `seen`, in depth-first postorder. Marks them as seen.
void appendPostorder(const Graph& edges, uint32_t root, Bits& seen, std::vector<uint32_t>& order);

/// The nodes of a graph that lie on cycles: the loops of a control-flow graph, registers that are
/// computed from themselves, functions that call each other.
struct Cycles {
  std::vector<uint32_t> component;  ///< By node. Nodes on a common cycle share a number.
  std::vector<bool> cyclic;         ///< By node: whether a path leads from it back to it.
};
[[nodiscard]] Cycles cyclesOf(const Graph& edges);

}  // namespace tilestep::ptx
