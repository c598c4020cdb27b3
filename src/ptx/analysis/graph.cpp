// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/graph.h"

#include "ptx/analysis/strong_components.h"

namespace tilestep::ptx {

Graph reversed(const Graph& edges) {
  Graph back(edges.size());
  for (uint32_t from = 0; from < edges.size(); ++from) {
    for (const uint32_t to : edges[from]) back[to].push_back(from);
  }
  return back;
}

Cycles cyclesOf(const Graph& edges) {
  Cycles cycles{strongComponents(edges), std::vector<bool>(edges.size(), false)};
  // Within a component, each edge is part of some cycle.
  for (uint32_t from = 0; from < edges.size(); ++from) {
    for (const uint32_t to : edges[from]) {
      if (cycles.component[from] == cycles.component[to]) cycles.cyclic[from] = true;
    }
  }
  return cycles;
}

}  // namespace tilestep::ptx
