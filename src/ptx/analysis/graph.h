// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilestep::ptx {

/// By node: whether something holds of it.
using Bits = std::vector<bool>;

/// The numbers of the bits that are set, ascending.
inline std::vector<uint32_t> numbersOf(const Bits& bits) {
  std::vector<uint32_t> numbers;
  for (uint32_t i = 0; i < bits.size(); ++i) {
    if (bits[i]) numbers.push_back(i);
  }
  return numbers;
}

/// A directed graph. By node: the nodes that its edges lead to.
using Graph = std::vector<std::vector<uint32_t>>;

[[nodiscard]] Graph reversed(const Graph& edges);

/// Appends to `order` each node that `root` leads to, itself among them, and that is not `seen`
/// yet: in the order in which a depth-first search leaves them. Marks them as seen.
void appendPostorder(const Graph& edges, uint32_t root, Bits& seen, std::vector<uint32_t>& order);

/// Which nodes of a graph lead back to themselves: the loops of a control-flow graph, registers
/// that are computed from themselves, functions that call each other.
struct Cycles {
  std::vector<uint32_t> component;  ///< By node. Nodes that lead to each other share a number.
  std::vector<bool> cyclic;         ///< By node: some way leads from it back to it.
};
[[nodiscard]] Cycles cyclesOf(const Graph& edges);

}  // namespace tilestep::ptx
