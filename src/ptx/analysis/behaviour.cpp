// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/behaviour.h"

#include <algorithm>

#include "ptx/analysis/counted.h"
#include "ptx/analysis/known_values.h"
#include "ptx/analysis/root_sums.h"

namespace tilestep::ptx {
namespace {

bool isShort(const Behaviour& behaviour, const ControlFlow& flow) {
  size_t bits = behaviour.told.size();
  for (uint32_t i = 0; i < behaviour.open.size(); ++i) {
    const size_t here = (behaviour.open[i] ? 1 : 0) + (behaviour.openSpace[i] ? 2 : 0);
    if (here > 0 && flow.isInLoop(i)) return false;
    bits += here;
  }
  return bits < 32 && std::ranges::none_of(behaviour.roots, &Behaviour::Root::repeats);
}

/// The number of instructions in loops that need inserted code.
size_t costOf(const Behaviour& behaviour, const ControlFlow& flow) {
  auto cost =
      static_cast<size_t>(std::ranges::count_if(behaviour.roots, &Behaviour::Root::repeats));
  for (uint32_t i = 0; i < behaviour.open.size(); ++i) {
    if (flow.isInLoop(i) && (behaviour.open[i] || behaviour.openSpace[i])) ++cost;
  }
  return cost;
}

Behaviour find(const Function& entry, const ControlFlow& flow, const RegisterGraph& graph,
               bool ofOnePlace) {
  const KnownValues values(entry, flow, graph, ofOnePlace);
  Behaviour behaviour;
  behaviour.ofOnePlace = ofOnePlace;
  for (uint32_t index = 0; index < entry.body.size(); ++index) {
    for (const uint32_t reg : graph.written[index]) {
      if (values.isTold(reg) && !values.makesKnown(index)) behaviour.told.push_back({index, reg});
    }
    const Instruction& i = entry.body[index];
    behaviour.open.push_back(i.guard.reg != kNone && !values.isKnown(i.guard.reg) && isCounted(i));
    const auto access = accessOf(i);
    behaviour.openSpace.push_back(access && access->space == Space::generic &&
                                  access->address->reg != kNone &&
                                  !values.isKnown(access->address->reg));
  }
  behaviour.roots = rootsOfAddresses(entry, flow, graph, values);
  behaviour.isShort = isShort(behaviour, flow);
  return behaviour;
}

}  // namespace

Behaviour behaviourOf(const Function& entry) {
  const ControlFlow flow = analyseControlFlow(entry);
  const RegisterGraph graph(entry);
  Behaviour anywhere = find(entry, flow, graph, false);
  const size_t cost = costOf(anywhere, flow);
  if (cost == 0) return anywhere;
  // If the thread index is known, predicates that follow from it are not recorded each iteration.
  Behaviour ofOnePlace = find(entry, flow, graph, true);
  return costOf(ofOnePlace, flow) < cost ? ofOnePlace : anywhere;
}

}  // namespace tilestep::ptx
