// SPDX-License-Identifier: Apache-2.0
#include "model/scene/phase_facts.h"

#include <algorithm>
#include <vector>

namespace tilestep::model {
namespace {

std::optional<uint64_t> coordinateOfK(const trace::Cut& cut, const trace::Access& access) {
  if (access.buffer < 0 || static_cast<size_t>(access.buffer) >= cut.operands.size()) return {};
  const trace::Cut::Operand& operand = cut.operands[static_cast<size_t>(access.buffer)];
  if (operand.k == trace::Cut::K::none || operand.columns == 0) return {};
  const uint64_t element = access.offset / std::max<uint32_t>(operand.elementBytes, 1);
  return operand.k == trace::Cut::K::row ? element / operand.columns : element % operand.columns;
}

/// Counts distinct threads, of which a block has few.
class Threads {
 public:
  void add(uint32_t thread) {
    if (thread >= seen_.size()) seen_.resize(thread + 1, false);
    if (!seen_[thread]) ++count_;
    seen_[thread] = true;
  }
  [[nodiscard]] uint32_t count() const { return count_; }

 private:
  std::vector<bool> seen_;
  uint32_t count_ = 0;
};

struct Reading {
  int16_t buffer = 0;
  uint32_t offset = 0, thread = 0;
  auto operator<=>(const Reading&) const = default;
};

void addReaders(const std::vector<trace::Access>& reads, PhaseFacts& facts) {
  std::vector<Reading> readings;
  readings.reserve(reads.size());
  for (const trace::Access& read : reads)
    readings.push_back({read.buffer, read.offset, read.thread});
  std::ranges::sort(readings);
  readings.erase(std::ranges::unique(readings).begin(), readings.end());
  for (auto slot = readings.begin(); slot != readings.end();) {
    const auto end = std::find_if(slot, readings.end(), [&](const Reading& reading) {
      return reading.buffer != slot->buffer || reading.offset != slot->offset;
    });
    const auto count = static_cast<uint32_t>(end - slot);
    facts.slotReadersMost = std::max(facts.slotReadersMost, count);
    facts.slotReadersLeast =
        facts.slotReadersLeast == 0 ? count : std::min(facts.slotReadersLeast, count);
    slot = end;
  }
}

}  // namespace

PhaseFacts factsOf(const trace::Replay& replay, const trace::Activity& activity) {
  PhaseFacts facts;
  Threads threads;
  for (const trace::GlobalLoad& load : activity.globalLoads) {
    threads.add(load.from.thread);
    const std::optional<uint64_t> k = coordinateOfK(replay.cut(), load.from);
    if (!k) continue;
    facts.kFirst = std::min(facts.kFirst.value_or(*k), *k);
    facts.kLast = std::max(facts.kLast.value_or(*k), *k);
  }
  for (const auto* accesses : {&activity.sharedReads, &activity.sharedWrites, &activity.accumulates,
                               &activity.outputStores})
    for (const trace::Access& access : *accesses) threads.add(access.thread);
  facts.threads = threads.count();
  facts.loads = activity.globalLoads.size();
  facts.stores = activity.outputStores.size();
  facts.terms = activity.accumulates.size();
  addReaders(activity.sharedReads, facts);
  return facts;
}

}  // namespace tilestep::model
