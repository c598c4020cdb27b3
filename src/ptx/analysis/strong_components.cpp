// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/strong_components.h"

namespace tilestep::ptx {

std::vector<uint32_t> strongComponents(const Graph& edges) {
  Bits seen(edges.size(), false);
  std::vector<uint32_t> order;
  for (uint32_t node = 0; node < edges.size(); ++node) appendPostorder(edges, node, seen, order);
  // In the reversed graph, the last unseen node in postorder reaches only its own component.
  const Graph back = reversed(edges);
  std::vector<uint32_t> component(edges.size(), 0);
  uint32_t count = 0;
  seen.assign(edges.size(), false);
  for (auto last = order.rbegin(); last != order.rend(); ++last) {
    if (seen[*last]) continue;
    std::vector<uint32_t> members;
    appendPostorder(back, *last, seen, members);
    for (const uint32_t member : members) component[member] = count;
    ++count;
  }
  return component;
}

}  // namespace tilestep::ptx
