// SPDX-License-Identifier: Apache-2.0
#include "trace/replay.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "trace/block_states.h"
#include "trace/phases.h"

namespace tilestep::trace {
namespace {

using Piece = Replay::Piece;

enum Doing : uint8_t {
  kGlobalLoad = 1,
  kGlobalStore = 2,
  kSharedLoad = 4,
  kSharedStore = 8,
  kAccumulate = 16,
};

uint8_t doingOf(const TraceEvent& event) {
  if (event.operation == Operation::accumulate) return kAccumulate;
  if (event.operation == Operation::barrier) return 0;
  const bool load = event.operation == Operation::load || event.operation == Operation::copy;
  if (event.space == Space::global) return load ? kGlobalLoad : kGlobalStore;
  // Atomic operations on shared memory count as accumulation.
  if (event.space == Space::shared && event.operation == Operation::atomic) return kAccumulate;
  if (event.space == Space::shared) return load ? kSharedLoad : kSharedStore;
  return 0;
}

StepKind kindOf(uint8_t doing) {
  const bool brings = (doing & (kGlobalLoad | kSharedStore)) != 0;
  const bool sums = (doing & kAccumulate) != 0;
  const bool reads = (doing & kSharedLoad) != 0;
  const bool stores = (doing & kGlobalStore) != 0;
  const bool loads = (doing & kGlobalLoad) != 0;
  if (loads && !sums && !reads && !stores) return StepKind::load;
  if ((sums || reads) && !brings && !stores) return StepKind::compute;
  if (stores && !brings && !sums) return StepKind::writeBack;
  return StepKind::whole;
}

/// The activity's list for an event's accesses; null for global loads, which have another type.
std::vector<Access>* listOf(const TraceEvent& event, Activity& activity) {
  const bool shared = event.space == Space::shared, global = event.space == Space::global;
  switch (event.operation) {
    case Operation::load:
      return shared ? &activity.sharedReads : nullptr;
    case Operation::copy:
      return nullptr;
    case Operation::arrive:
      return &activity.sharedWrites;
    case Operation::store:
      return shared ? &activity.sharedWrites : global ? &activity.outputStores : nullptr;
    case Operation::atomic:
      return shared || global ? &activity.atomics : nullptr;
    case Operation::accumulate:
      return &activity.accumulates;
    case Operation::barrier:
      return nullptr;
  }
  return nullptr;
}

constexpr size_t kManyLines = 1024;

void sortUnique(std::vector<uint32_t>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// The start indices of the runs of equal keys, followed by `count`.
template <class KeyOf>
std::vector<size_t> runsOf(size_t count, KeyOf keyOf) {
  std::vector<size_t> starts;
  for (size_t i = 0; i < count; ++i) {
    if (i == 0 || keyOf(i) != keyOf(i - 1)) starts.push_back(i);
  }
  starts.push_back(count);
  return starts;
}

size_t runThatHolds(const std::vector<size_t>& starts, size_t at) {
  const auto next = std::upper_bound(starts.begin(), starts.end(), at);
  return static_cast<size_t>(next - starts.begin()) - 1;
}

}  // namespace

std::string_view toText(StepKind kind) {
  switch (kind) {
    case StepKind::load:
      return "load";
    case StepKind::compute:
      return "compute";
    case StepKind::writeBack:
      return "write-back";
    case StepKind::whole:
      return "whole";
  }
  return "unknown";
}

struct Replay::State {
  State(std::shared_ptr<const BlockTrace> log, Cut how);

  struct Range {
    const std::vector<Piece>* pieces;
    size_t first, last;
  };
  [[nodiscard]] Range rangeOf(StepGranularity grain, size_t index) const;
  [[nodiscard]] Step describe(StepGranularity grain, size_t index) const;
  [[nodiscard]] std::vector<Piece> upToBarrier(size_t event) const;

  std::shared_ptr<const BlockTrace> recording;
  Cut cut;
  bool byK;
  Elements elements;
  Origins origins;
  BlockMachine machine;
  std::vector<Piece> whole;           ///< Every event, in order.
  std::vector<uint32_t> eventPhases;  ///< By event: the phase of its first piece.
  std::vector<Piece> sliced;          ///< Only with phases by k: ordered by phase, then event.
  std::vector<size_t> epochStarts;    ///< Indices in `whole`.
  std::vector<size_t> phaseStarts;    ///< Indices in `sliced` with phases by k, else in `whole`.
  std::vector<uint32_t> slicePhases;  ///< By piece of `sliced`.
  std::unique_ptr<const BlockStates> wholeStates, slicedStates;
  std::vector<Step> phaseSteps, epochSteps;
};

Replay::State::State(std::shared_ptr<const BlockTrace> log, Cut how)
    : recording(std::move(log)),
      cut(std::move(how)),
      byK(cut.epochsPerPhase == 0 && cut.phaseLength > 0),
      elements(*recording, cut),
      origins(*recording, elements),
      machine(*recording, elements, origins) {
  std::vector<PhasedPiece> pieces = phasedPieces(*recording, cut);
  for (const PhasedPiece& p : pieces) {
    if (p.piece.event < whole.size()) continue;  // Another part of the same event.
    whole.push_back({p.piece.event, recording->event(p.piece.event).mask});
    eventPhases.push_back(p.phase);
  }
  if (byK) {
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const PhasedPiece& a, const PhasedPiece& b) { return a.phase < b.phase; });
    for (const PhasedPiece& p : pieces) {
      sliced.push_back(p.piece);
      slicePhases.push_back(p.phase);
    }
    slicedStates = std::make_unique<BlockStates>(machine, sliced);
  }
  wholeStates = std::make_unique<BlockStates>(machine, whole);
  epochStarts = runsOf(whole.size(), [this](size_t i) { return recording->event(i).epoch; });
  const bool byEpochs = cut.epochsPerPhase > 0;
  const std::vector<uint32_t>& phases = byK ? slicePhases : eventPhases;
  phaseStarts =
      byK || byEpochs ? runsOf(phases.size(), [&](size_t i) { return phases[i]; }) : epochStarts;
  for (size_t i = 0; i + 1 < epochStarts.size(); ++i) {
    epochSteps.push_back(describe(StepGranularity::epoch, i));
  }
  for (size_t i = 0; i + 1 < phaseStarts.size(); ++i) {
    phaseSteps.push_back(describe(StepGranularity::phase, i));
  }
}

Replay::State::Range Replay::State::rangeOf(StepGranularity grain, size_t index) const {
  if (grain == StepGranularity::event) return {&whole, index, index + 1};
  if (grain == StepGranularity::epoch) return {&whole, epochStarts[index], epochStarts[index + 1]};
  return {byK ? &sliced : &whole, phaseStarts[index], phaseStarts[index + 1]};
}

/// A warp's events from `event` up to its next barrier, which are contiguous.
std::vector<Piece> Replay::State::upToBarrier(size_t event) const {
  const TraceEvent first = recording->event(event);
  std::vector<Piece> pieces;
  for (; event < whole.size(); ++event) {
    const TraceEvent next = recording->event(event);
    if (next.warp != first.warp || next.epoch != first.epoch) break;
    pieces.push_back(whole[event]);
  }
  return pieces;
}

Step Replay::State::describe(StepGranularity grain, size_t index) const {
  const Range range = rangeOf(grain, index);
  const std::vector<Piece>& pieces = *range.pieces;
  const bool fromSlices = range.pieces == &sliced;
  const auto phaseAt = [&](size_t i) {
    return fromSlices ? slicePhases[i] : eventPhases[pieces[i].event];
  };
  Step step;
  uint8_t doing = 0;
  uint32_t phase = phaseAt(range.first);
  step.firstEvent = pieces[range.first].event;
  step.lastEvent = pieces[range.last - 1].event;
  for (size_t i = range.first; i < range.last; ++i) {
    const TraceEvent event = recording->event(pieces[i].event);
    doing |= doingOf(event);
    if (event.line != 0) step.lines.push_back(event.line);
    if (phaseAt(i) != phase) phase = kNoPhase;
    // With phases by k, a step may contain events of several epochs.
    step.epoch = i == range.first ? event.epoch : std::min(step.epoch, event.epoch);
    step.lastEpoch = std::max(step.lastEpoch, event.epoch);
    if (step.lines.size() > 2 * kManyLines) sortUnique(step.lines);
  }
  sortUnique(step.lines);
  if (phase != kNoPhase) step.phase = phase;
  step.kind = kindOf(doing);
  // A step that is only a barrier has the kind of its epoch.
  if (doing == 0 && grain == StepGranularity::event) {
    step.kind = epochSteps[runThatHolds(epochStarts, index)].kind;
  }
  return step;
}

Replay::Replay(std::shared_ptr<const BlockTrace> recording, Cut cut)
    : state_(std::make_unique<const State>(std::move(recording), std::move(cut))) {}
Replay::~Replay() = default;
Replay::Replay(Replay&&) noexcept = default;
Replay& Replay::operator=(Replay&&) noexcept = default;

const BlockTrace& Replay::recording() const {
  return *state_->recording;
}
const Cut& Replay::cut() const {
  return state_->cut;
}

size_t Replay::size(StepGranularity grain) const {
  switch (grain) {
    case StepGranularity::phase:
      return state_->phaseSteps.size();
    case StepGranularity::epoch:
      return state_->epochSteps.size();
    case StepGranularity::event:
      return state_->whole.size();
  }
  return 0;
}

Step Replay::step(StepGranularity grain, size_t index) const {
  if (grain == StepGranularity::phase) return state_->phaseSteps[index];
  if (grain == StepGranularity::epoch) return state_->epochSteps[index];
  return state_->describe(grain, index);
}

size_t Replay::sameMoment(StepGranularity from, size_t index, StepGranularity to) const {
  if (from == to) return index;
  const State::Range range = state_->rangeOf(from, index);
  const uint32_t event = (*range.pieces)[range.last - 1].event;
  if (to == StepGranularity::event) return event;
  if (to == StepGranularity::epoch) return runThatHolds(state_->epochStarts, event);
  if (!state_->byK) return runThatHolds(state_->phaseStarts, event);
  const auto& phases = state_->slicePhases;
  const auto at = std::lower_bound(phases.begin(), phases.end(), state_->eventPhases[event]);
  return runThatHolds(state_->phaseStarts, static_cast<size_t>(at - phases.begin()));
}

std::optional<size_t> Replay::firstOfPhase(StepGranularity grain, uint32_t phase) const {
  if (grain == StepGranularity::event) {
    const auto& phases = state_->eventPhases;
    const auto at = std::find(phases.begin(), phases.end(), phase);
    if (at == phases.end() || phase == kNoPhase) return std::nullopt;
    return static_cast<size_t>(at - phases.begin());
  }
  const auto& steps = grain == StepGranularity::phase ? state_->phaseSteps : state_->epochSteps;
  const auto at =
      std::find_if(steps.begin(), steps.end(), [&](const Step& s) { return s.phase == phase; });
  if (at == steps.end()) return std::nullopt;
  return static_cast<size_t>(at - steps.begin());
}

std::vector<Replay::Piece> Replay::piecesOf(StepGranularity grain, size_t index) const {
  const State::Range range = state_->rangeOf(grain, index);
  const auto first = range.pieces->begin();
  return {first + static_cast<std::ptrdiff_t>(range.first),
          first + static_cast<std::ptrdiff_t>(range.last)};
}

BlockState Replay::start() const {
  return state_->machine.start();
}

BlockState Replay::stateAfter(StepGranularity grain, size_t index) const {
  const State::Range range = state_->rangeOf(grain, index);
  const auto& states = range.pieces == &state_->sliced ? state_->slicedStates : state_->wholeStates;
  return states->after(range.last);
}

namespace {

/// Where `pieces` store elements of global loads in shared memory, by load event, lane and byte
/// offset in the lane's loaded value.
class Destinations {
 public:
  Destinations(const BlockTrace& recording, const Elements& elements, const Origins& origins,
               const std::vector<Piece>& pieces) {
    for (const Piece& piece : pieces) {
      const TraceEvent event = recording.event(piece.event);
      const bool fills = event.operation == Operation::store && event.space == Space::shared;
      if (!fills) continue;
      elements.visit(piece.event, event, piece.mask, [&](const Access& a, uint32_t part) {
        const auto origin = origins.of(piece.event, event, a.lane, part, a.width);
        if (origin)
          entries_.push_back({{origin->load, a.lane, origin->shift}, {a.buffer, a.offset}});
      });
    }
    std::ranges::stable_sort(entries_, {}, &Entry::first);
  }
  /// The place of the element's first store.
  [[nodiscard]] std::optional<Place> of(uint32_t load, uint8_t lane, uint32_t shift) const {
    const Key key{load, lane, shift};
    const auto at = std::ranges::lower_bound(entries_, key, {}, &Entry::first);
    return at != entries_.end() && at->first == key ? std::optional(at->second) : std::nullopt;
  }

 private:
  using Key = std::tuple<uint32_t, uint8_t, uint32_t>;
  using Entry = std::pair<Key, Place>;
  std::vector<Entry> entries_;
};

bool isGlobalLoad(const TraceEvent& event) {
  return event.space == Space::global &&
         (event.operation == Operation::load || event.operation == Operation::copy);
}

/// Reserves space for all accesses of the pieces, because growing a long list is costly.
void reserve(const BlockTrace& recording, const Elements& elements,
             const std::vector<Piece>& pieces, Activity& activity) {
  size_t loads = 0;
  std::map<std::vector<Access>*, size_t> sizes;
  for (const Piece& piece : pieces) {
    const TraceEvent event = recording.event(piece.event);
    const size_t count = elements.count(event, piece.mask);
    if (std::vector<Access>* list = listOf(event, activity)) sizes[list] += count;
    if (isGlobalLoad(event)) loads += count;
  }
  for (const auto& [list, size] : sizes) list->reserve(size);
  activity.globalLoads.reserve(loads);
}

}  // namespace

Activity Replay::activityOf(StepGranularity grain, size_t index) const {
  const BlockTrace& recording = *state_->recording;
  const Elements& elements = state_->elements;
  const std::vector<Piece> pieces = piecesOf(grain, index);
  Activity activity;
  reserve(recording, elements, pieces, activity);
  bool loads = false;
  for (const Piece& piece : pieces) {
    const TraceEvent event = recording.event(piece.event);
    loads = loads || isGlobalLoad(event);
    std::vector<Access>* list = listOf(event, activity);
    if (list == nullptr) continue;
    elements.visit(piece.event, event, piece.mask,
                   [&](const Access& a, uint32_t) { list->push_back(a); });
  }
  if (!loads) return activity;
  // The step of a single access has no store of the loaded value, so later accesses are searched.
  const bool alone = grain == StepGranularity::event;
  const Destinations destinations(recording, elements, state_->origins,
                                  alone ? state_->upToBarrier(index) : pieces);
  for (const Piece& piece : pieces) {
    const TraceEvent event = recording.event(piece.event);
    if (!isGlobalLoad(event)) continue;
    const bool isCopy = event.operation == Operation::copy;
    elements.visit(piece.event, event, piece.mask, [&](const Access& a, uint32_t part) {
      const uint32_t shift = part * a.width;
      activity.globalLoads.push_back({a,
                                      isCopy ? state_->origins.destinationOf(a.event, a.lane, shift)
                                             : destinations.of(a.event, a.lane, shift),
                                      isCopy});
    });
  }
  return activity;
}

void Replay::readAccesses(uint32_t event, std::vector<Access>& to) const {
  const TraceEvent all = state_->recording->event(event);
  to.clear();
  state_->elements.visit(event, all, all.mask,
                         [&](const Access& access, uint32_t) { to.push_back(access); });
}

}  // namespace tilestep::trace
