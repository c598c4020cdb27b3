// SPDX-License-Identifier: Apache-2.0
#include "features/scene/atomic_sources.h"

#include <map>
#include <utility>

namespace tilestep::features {
namespace {

/// The element or slot that each thread reads in each event, by thread and event.
using Reads = std::map<std::pair<uint32_t, uint32_t>, StoreSource>;

Reads readsOf(const trace::Activity& activity) {
  Reads reads;
  for (const trace::GlobalLoad& load : activity.globalLoads)
    reads[{load.from.thread, load.from.event}] = {false, {load.from.buffer, load.from.offset}};
  for (const trace::Access& read : activity.sharedReads)
    reads[{read.thread, read.event}] = {true, {read.buffer, read.offset}};
  return reads;
}

}  // namespace

std::vector<AtomicUpdate> atomicUpdatesOf(const TracedStep& step) {
  std::vector<AtomicUpdate> updates;
  if (step.activity.atomics.empty()) return updates;
  const Reads reads = readsOf(step.activity);
  const trace::BlockTrace& recording = step.side->replay->recording();
  for (const trace::Access& atomic : step.activity.atomics) {
    auto before = reads.lower_bound({atomic.thread, atomic.event});
    const bool isFirst = before == reads.begin() || (--before)->first.first != atomic.thread;
    updates.push_back({isFirst ? StoreSource{} : before->second,
                       recording.event(atomic.event).space == trace::Space::shared, atomic});
  }
  return updates;
}

std::vector<trace::Access> atomicsOn(trace::Space space, const TracedStep& step) {
  std::vector<trace::Access> found;
  const trace::BlockTrace& recording = step.side->replay->recording();
  for (const trace::Access& atomic : step.activity.atomics)
    if (recording.event(atomic.event).space == space) found.push_back(atomic);
  return found;
}

}  // namespace tilestep::features
