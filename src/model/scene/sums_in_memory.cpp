// SPDX-License-Identifier: Apache-2.0
#include "model/scene/sums_in_memory.h"

#include <algorithm>

namespace tilestep::model {

bool sumsInMemory(const TracedKernel& side) {
  const trace::BlockTrace& recording = side.replay->recording();
  if (recording.sumStores.empty()) return false;
  const uint64_t updates = side.whole.accumulates, elements = side.end.outputs.size();
  return updates > elements && side.whole.counters.globalStore.threads >= updates;
}

std::string kindText(const TracedStep& step) {
  const std::string kind(trace::toText(step.step.kind));
  if (step.step.kind != trace::StepKind::writeBack || !sumsInMemory(*step.side)) return kind;
  const bool before = std::ranges::all_of(
      step.state.accumulators, [](const trace::Accumulator& sum) { return sum.updates == 0; });
  return before ? "clear" : "store";
}

}  // namespace tilestep::model
