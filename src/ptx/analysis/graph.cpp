// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/graph.h"

#include <utility>

#include "ptx/analysis/strong_components.h"

namespace tilestep::ptx {

Graph reversed(const Graph& edges) {
  Graph back(edges.size());
  for (uint32_t from = 0; from < edges.size(); ++from) {
    for (const uint32_t to : edges[from]) back[to].push_back(from);
  }
  return back;
}

void appendPostorder(const Graph& edges, uint32_t root, Bits& seen, std::vector<uint32_t>& order) {
  if (seen[root]) return;
  std::vector<std::pair<uint32_t, size_t>> stack{{root, 0}};
  seen[root] = true;
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    if (next == edges[node].size()) {
      order.push_back(node);
      stack.pop_back();
      continue;
    }
    const uint32_t successor = edges[node][next++];
    if (seen[successor]) continue;
    seen[successor] = true;
    stack.emplace_back(successor, 0);
  }
}

Cycles cyclesOf(const Graph& edges) {
  Cycles cycles{strongComponents(edges), std::vector<bool>(edges.size(), false)};
  // Every edge within a strongly connected component is part of a cycle.
  for (uint32_t from = 0; from < edges.size(); ++from) {
    for (const uint32_t to : edges[from]) {
      if (cycles.component[from] == cycles.component[to]) cycles.cyclic[from] = true;
    }
  }
  return cycles;
}

}  // namespace tilestep::ptx
