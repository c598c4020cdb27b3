// SPDX-License-Identifier: Apache-2.0
#include "features/exercises/element_story.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/element.h"
#include "base/launch.h"
#include "compile/kernel.h"
#include "model/text/step_text.h"
#include "trace/feeds.h"

namespace tilestep::features {
namespace {

using trace::Access;
using trace::Operation;
using trace::Space;
using trace::TraceEvent;

ElementType typeOf(const TracedKernel& kernel, int16_t operand) {
  return kernel.result->plan.operands[static_cast<size_t>(operand)].spec.type;
}

/// The launch with all its front matter. The worker's result contains only what was launched.
compile::Plan planOf(const TracedKernel& kernel) {
  const compile::Plan& launched = kernel.result->plan;
  Limits limits;
  limits.sharedBytesPerBlockOptIn = UINT32_MAX;
  Result<compile::Plan> plan =
      compile::plan(kernel.spec, launched.sizes, launched.tunables, limits);
  return plan ? std::move(*plan) : launched;
}

/// A location in shared or global memory.
struct Spot {
  Space space = Space::none;
  trace::Place place;
  auto operator<=>(const Spot& other) const {
    return std::tuple(space, place.buffer, place.offset) <=>
           std::tuple(other.space, other.place.buffer, other.place.offset);
  }
  bool operator==(const Spot&) const = default;
};

bool isRead(const TraceEvent& event) {
  return event.operation == Operation::load || event.operation == Operation::atomic;
}
bool isWrite(const TraceEvent& event) {
  return event.operation == Operation::store || event.operation == Operation::atomic ||
         event.operation == Operation::arrive;
}
bool isShown(const TraceEvent& event) {
  return event.space == Space::shared || event.space == Space::global;
}

/// Collects an element's history from the recording.
class StoryTeller {
 public:
  StoryTeller(const TracedKernel& kernel, const lab::Expected& expected, uint64_t element)
      : kernel_(kernel),
        recording_(kernel.replay->recording()),
        feeds_(recording_),
        operand_(static_cast<int16_t>(expected.operand)),
        width_(bytesOf(typeOf(kernel, operand_))),
        plan_(planOf(kernel)) {
    story_.element = element;
    story_.name = elementName(kernel, operand_, static_cast<uint32_t>(element * width_));
    if (element < expected.values.size()) story_.expected = expected.values[element];
  }

  ElementStory tell(const lab::Expected& expected) {
    gatherWrites();
    gatherStores();
    if (story_.stores.empty()) return std::move(story_);
    story_.right = expected.isRight(story_.element, story_.stores.back().value);
    gatherReads(story_.stores.back());
    if (allKnown_ && !story_.cut) gatherMissing();
    return std::move(story_);
  }

 private:
  template <class Visit>
  void eachAccess(uint32_t event, const Visit& visit) {
    kernel_.replay->readAccesses(event, accesses_);
    for (const Access& access : accesses_) visit(access);
  }

  void gatherWrites() {
    for (uint32_t i = 0; i < recording_.size(); ++i) {
      const TraceEvent event = recording_.event(i);
      if (!isWrite(event) || !isShown(event)) continue;
      eachAccess(i, [&](const Access& access) {
        writes_[{event.space, {access.buffer, access.offset}}].push_back(
            {access.thread, kernel_.lineOf(event), event.epoch, i, 0});
      });
    }
  }

  void gatherStores() {
    const trace::Place place{operand_, static_cast<uint32_t>(story_.element * width_)};
    const auto at = writes_.find({Space::global, place});
    if (at == writes_.end()) return;
    for (StoredBy store : at->second) {
      eachAccess(store.event, [&](const Access& access) {
        if (access.thread == store.thread && access.offset == place.offset)
          store.value = valueOf(typeOf(kernel_, operand_), access.bits);
      });
      story_.stores.push_back(store);
    }
  }

  /// The instructions whose loads may contribute to the stored value, directly or through a sum.
  [[nodiscard]] std::set<uint32_t> feedersOf(const StoredBy& store) {
    std::set<uint32_t> feeders;
    const uint32_t instruction = recording_.event(store.event).instruction;
    for (const auto& [consumer, load] : feeds_.of(instruction)) feeders.insert(load);
    for (uint32_t i = 0; i < store.event; ++i) {
      const TraceEvent event = recording_.event(i);
      if (event.operation != Operation::accumulate) continue;
      for (const auto& [consumer, load] : feeds_.of(event.instruction)) feeders.insert(load);
    }
    return feeders;
  }

  void gatherReads(const StoredBy& store) {
    const std::set<uint32_t> feeders = feedersOf(store);
    const uint32_t warp = store.thread / 32;
    for (uint32_t i = 0; i < store.event; ++i) {
      const TraceEvent event = recording_.event(i);
      if (event.warp != warp || !isRead(event) || !isShown(event)) continue;
      if (!feeders.empty() && !feeders.contains(event.instruction)) continue;
      eachAccess(i, [&](const Access& access) {
        if (access.thread == store.thread) addRead(event, access);
      });
    }
  }

  void addRead(const TraceEvent& event, const Access& access) {
    if (story_.reads.size() == kMostReads) {
      story_.cut = true;
      return;
    }
    StoryRead read;
    read.line = kernel_.lineOf(event);
    read.epoch = event.epoch;
    read.event = access.event;
    const bool shared = event.space == Space::shared;
    if (shared) {
      read.name = slotName(kernel_, access.buffer, access.offset, access.width);
      read.value = valueOf(outputType(kernel_), access.bits);
      lookAtSlot(access, read);
    } else {
      read.name = elementName(kernel_, access.buffer, access.offset);
      read.value = valueOf(typeOf(kernel_, access.buffer), access.bits);
    }
    lookAtWrites({event.space, {access.buffer, access.offset}}, access, read);
    // An element that the block has overwritten no longer contains the input's value.
    if (!shared && !read.by) source(trace::Place{access.buffer, access.offset}, read);
    allKnown_ &= shared || !read.by;
    story_.reads.push_back(std::move(read));
  }

  /// Describes the slot's content at the time of the read.
  void lookAtSlot(const Access& access, StoryRead& read) {
    const trace::BlockState state =
        kernel_.replay->stateAfter(trace::StepGranularity::event, access.event);
    const trace::SharedSlot* slot = state.findShared({access.buffer, access.offset});
    read.unwritten = slot == nullptr || !slot->written;
    allKnown_ &= read.unwritten || slot->origin.has_value();
    if (slot != nullptr && slot->origin) {
      read.element = elementName(kernel_, slot->origin->buffer, slot->origin->offset);
      source(*slot->origin, read);
    }
  }

  /// Records that the thread read this element, and whether the expected output depends on it.
  void source(const trace::Place& place, StoryRead& read) {
    if (place.buffer < 0) return;
    const uint64_t of = place.offset / bytesOf(typeOf(kernel_, place.buffer));
    read.needed = lab::dependsOn(kernel_.spec.reference, plan_, story_.element,
                                 static_cast<uint32_t>(place.buffer), of);
    reached_.insert({place.buffer, of});
  }

  /// Whether the checker found a race between these two lines. Epochs alone do not show races,
  /// because warp barriers and atomic operations also order accesses.
  [[nodiscard]] bool isHazard(uint32_t line, uint32_t other) const {
    const auto& hazards = kernel_.result->hazards;
    return hazards && std::ranges::any_of(*hazards, [&](const device::Hazard& hazard) {
             return (hazard.first.line == line && hazard.second.line == other) ||
                    (hazard.first.line == other && hazard.second.line == line);
           });
  }

  void lookAtWrites(const Spot& spot, const Access& access, StoryRead& read) {
    const auto at = writes_.find(spot);
    if (at == writes_.end()) return;
    for (const StoredBy& write : at->second) {
      if (write.event < access.event) read.by = write.thread;
      if (write.epoch != read.epoch || write.thread == access.thread) continue;
      if (isHazard(write.line, read.line)) read.racesWith = write.thread;
    }
  }

  /// Collects the elements that the reference needs and the thread did not read.
  void gatherMissing() {
    for (uint32_t i = 0; i < plan_.operands.size(); ++i) {
      const compile::ResolvedOperand& operand = plan_.operands[i];
      if (operand.spec.kind != OperandKind::buffer || operand.elements > kMostLooked) continue;
      uint64_t needed = 0, missing = 0;
      for (uint64_t of = 0; of < operand.elements; ++of) {
        if (!lab::dependsOn(kernel_.spec.reference, plan_, story_.element, i, of).value_or(false))
          continue;
        ++needed;
        missing += reached_.contains({static_cast<int16_t>(i), of}) ? 0 : 1;
      }
      if (missing > 0)
        story_.missing.push_back(std::to_string(missing) + " of the " + std::to_string(needed) +
                                 " elements of " + operand.spec.name + " that it needs");
    }
  }

  static constexpr uint64_t kMostLooked = 1 << 16;

  const TracedKernel& kernel_;
  const trace::BlockTrace& recording_;
  trace::Feeds feeds_;
  int16_t operand_;
  unsigned width_;
  compile::Plan plan_;
  ElementStory story_;
  bool allKnown_ = true;  ///< Every value that the thread read is a known element of an input.
  std::vector<Access> accesses_;
  std::map<Spot, std::vector<StoredBy>> writes_;
  std::set<std::pair<int16_t, uint64_t>> reached_;
};

OutputCell cellOf(const TracedKernel& kernel, const trace::OutputElement& element,
                  const lab::Expected& expected, uint64_t at) {
  using State = OutputCell::State;
  if (!element.written) return {};
  if (!element.known) return {State::unknown, 0};
  const double value = valueOf(typeOf(kernel, element.place.buffer), element.bits);
  return {expected.isRight(at, value) ? State::right : State::wrong, value};
}

}  // namespace

uint64_t OutputCells::wrong() const {
  return static_cast<uint64_t>(
      std::ranges::count(cells, OutputCell::State::wrong, &OutputCell::state));
}

ElementStory storyOf(const TracedKernel& kernel, const lab::Expected& expected, uint64_t element) {
  return StoryTeller(kernel, expected, element).tell(expected);
}

std::shared_ptr<const OutputCells> outputCellsOf(const TracedKernel& kernel) {
  if (kernel.replay->recording().truncated()) return nullptr;
  auto all = lab::expectedOutputs(kernel.spec, planOf(kernel), kernel.seed);
  if (!all || all->empty()) return nullptr;
  const compile::ResolvedOperand& operand = kernel.result->plan.operands[all->front().operand];
  if (operand.elements > kMostCells) return nullptr;
  auto cells = std::make_shared<OutputCells>();
  cells->expected = std::move(all->front());
  cells->name = operand.spec.name;
  cells->rows = operand.rows > 0 ? operand.rows : 1;
  cells->columns = operand.rows > 0 ? operand.columns : operand.elements;
  cells->cells.resize(operand.elements);
  const unsigned width = bytesOf(operand.spec.type);
  for (const trace::OutputElement& element : kernel.end.outputs) {
    const uint64_t at = element.place.offset / width;
    if (element.place.buffer == static_cast<int16_t>(cells->expected.operand) &&
        at < cells->cells.size())
      cells->cells[at] = cellOf(kernel, element, cells->expected, at);
  }
  return cells;
}

}  // namespace tilestep::features
