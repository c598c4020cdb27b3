// SPDX-License-Identifier: Apache-2.0
#include "trace/block_states.h"

#include <algorithm>
#include <tuple>

namespace tilestep::trace {
namespace {

constexpr size_t kMinInterval = 256;
constexpr size_t kCheckpointBytes = size_t{64} << 20;

uint64_t keyOf(Place place) {
  return (uint64_t{static_cast<uint16_t>(place.buffer)} << 32) | place.offset;
}
uint64_t keyOf(const SharedSlot& slot) {
  return keyOf(slot.place);
}
uint64_t keyOf(const OutputElement& element) {
  return keyOf(element.place);
}
uint64_t keyOf(uint32_t thread, int16_t index) {
  return (uint64_t{thread} << 16) | static_cast<uint16_t>(index);
}
uint64_t keyOf(const Accumulator& a) {
  return keyOf(a.thread, a.index);
}

template <class Entry>
const Entry* find(const std::vector<Entry>& entries, uint64_t key) {
  const auto at = std::lower_bound(entries.begin(), entries.end(), key,
                                   [](const Entry& e, uint64_t k) { return keyOf(e) < k; });
  return at != entries.end() && keyOf(*at) == key ? &*at : nullptr;
}
template <class Entry>
Entry* find(std::vector<Entry>& entries, uint64_t key) {
  return const_cast<Entry*>(find(std::as_const(entries), key));
}

/// Collects entries. Duplicates are removed regularly, so that memory stays proportional to the
/// number of distinct entries.
template <class Entry>
class Distinct {
 public:
  void add(const Entry& entry) {
    entries_.push_back(entry);
    if (entries_.size() >= limit_) {
      reduce();
      limit_ = std::max(kFirstLimit, entries_.size() * 2);
    }
  }
  std::vector<Entry> take() {
    reduce();
    return std::move(entries_);
  }

 private:
  static constexpr size_t kFirstLimit = 4096;
  void reduce() {
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& a, const Entry& b) { return keyOf(a) < keyOf(b); });
    const auto same = [](const Entry& a, const Entry& b) { return keyOf(a) == keyOf(b); };
    entries_.erase(std::unique(entries_.begin(), entries_.end(), same), entries_.end());
  }
  std::vector<Entry> entries_;
  size_t limit_ = kFirstLimit;
};

size_t bytesOf(const BlockState& state) {
  return state.shared.size() * sizeof(SharedSlot) +
         state.accumulators.size() * sizeof(Accumulator) +
         state.outputs.size() * sizeof(OutputElement) + sizeof(BlockState);
}

}  // namespace

const SharedSlot* BlockState::findShared(Place place) const {
  return find(shared, keyOf(place));
}

const Accumulator* BlockState::findAccumulator(uint32_t thread, int16_t index) const {
  return find(accumulators, keyOf(thread, index));
}

BlockMachine::BlockMachine(const BlockTrace& recording, const Elements& elements,
                           const Origins& origins)
    : recording_(recording), elements_(elements), origins_(origins) {
  Distinct<SharedSlot> shared;
  Distinct<Accumulator> accumulators;
  Distinct<OutputElement> outputs;
  Updates updates;
  for (size_t i = 0; i < recording.size(); ++i) {
    const TraceEvent event = recording.event(i);
    const bool accumulate = event.operation == Operation::accumulate;
    const bool output = event.space == Space::global && event.operation != Operation::load &&
                        event.operation != Operation::copy;
    elements.visit(static_cast<uint32_t>(i), event, event.mask, [&](const Access& a, uint32_t) {
      if (accumulate) {
        accumulators.add({.thread = a.thread, .index = a.buffer, .width = a.width});
      } else if (event.space == Space::shared) {
        shared.add({.place = {a.buffer, a.offset}, .width = a.width});
        noteShared(static_cast<uint32_t>(i), event, a, updates);
      } else if (output) {
        outputs.add({.place = {a.buffer, a.offset}, .width = a.width});
      }
    });
  }
  start_ = {shared.take(), accumulators.take(), outputs.take()};
}

void BlockMachine::noteShared(uint32_t index, const TraceEvent& event, const Access& access,
                              Updates& updates) {
  const Place place{access.buffer, access.offset};
  const uint64_t key = keyOf(place);
  if (event.operation == Operation::atomic) {
    updates[key] = {index, event.epoch, access.width};
    return;
  }
  if (updates.empty()) return;
  if (event.operation != Operation::load) {
    constexpr uint32_t kWidest = 16;
    const uint32_t first = place.offset - std::min(place.offset, kWidest - 1);
    for (uint32_t at = first; at < place.offset + access.width; ++at)
      updates.erase(keyOf(Place{place.buffer, at}));
    return;
  }
  const auto update = updates.find(key);
  if (update == updates.end() || update->second.width != access.width) return;
  // Within an epoch, the recording's order is not the order in which the warps ran.
  if (event.epoch > update->second.epoch && !event.values.empty())
    left_[{update->second.event, key}] = access.bits;
}

void BlockMachine::apply(const Replay::Piece& piece, BlockState& state) const {
  const TraceEvent event = recording_.event(piece.event);
  if (event.operation == Operation::load || event.operation == Operation::barrier ||
      event.operation == Operation::copy)
    return;
  const bool known = event.operation != Operation::atomic && !event.values.empty();
  elements_.visit(piece.event, event, piece.mask, [&](const Access& access, uint32_t part) {
    const Place place{access.buffer, access.offset};
    if (event.operation == Operation::accumulate) {
      Accumulator* sum = find(state.accumulators, keyOf(access.thread, access.buffer));
      sum->bits = access.bits;
      sum->width = access.width;
      ++sum->updates;
    } else if (event.space == Space::shared) {
      SharedSlot* slot = find(state.shared, keyOf(place));
      *slot = {place,         access.width, true,        known, known ? access.bits : 0,
               access.thread, event.epoch,  std::nullopt};
      const auto left = known ? left_.end() : left_.find({piece.event, keyOf(place)});
      if (left != left_.end()) {
        slot->known = true;
        slot->bits = left->second;
      }
      const auto origin = origins_.of(piece.event, event, access.lane, part, access.width);
      if (origin) slot->origin = placeOf(recording_, *origin, access.lane);
    } else if (event.space == Space::global) {
      OutputElement* element = find(state.outputs, keyOf(place));
      *element = {place, access.width, true, known, known ? access.bits : 0, access.thread};
    }
  });
}

BlockStates::BlockStates(const BlockMachine& machine, const std::vector<Replay::Piece>& pieces)
    : machine_(machine), pieces_(pieces) {
  const size_t most = std::max<size_t>(1, kCheckpointBytes / bytesOf(machine.start()));
  interval_ = std::max(kMinInterval, pieces.size() / most + 1);
  BlockState state = machine.start();
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (i % interval_ == 0) checkpoints_.push_back(state);
    machine.apply(pieces[i], state);
  }
}

BlockState BlockStates::after(size_t count) const {
  if (checkpoints_.empty()) return machine_.start();
  const size_t checkpoint = std::min(count / interval_, checkpoints_.size() - 1);
  BlockState state = checkpoints_[checkpoint];
  for (size_t i = checkpoint * interval_; i < count; ++i) machine_.apply(pieces_[i], state);
  return state;
}

}  // namespace tilestep::trace
