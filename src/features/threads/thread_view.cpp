// SPDX-License-Identifier: Apache-2.0
#include "features/threads/thread_view.h"

#include <algorithm>
#include <bit>
#include <cstdio>

#include "model/text/step_text.h"
#include "model/text/sum_terms.h"

namespace tilestep::features {
namespace {

using trace::Operation;
using trace::Space;

/// The shortest decimal string that identifies the value.
std::string exact(double value, ElementType type) {
  char text[40];
  std::snprintf(text, sizeof text, type == ElementType::f64 ? "%.17g" : "%.9g", value);
  return text;
}

/// "row 0 of M", "column 1 of N"; otherwise the rectangle's ranges.
std::string areaText(const TracedKernel& side, const Area& area) {
  const compile::ResolvedOperand& operand =
      side.result->plan.operands[static_cast<size_t>(area.operand)];
  const std::string& name = operand.spec.name;
  if (area.rows == 1 && area.columns == operand.columns && area.columns > 1)
    return "row " + std::to_string(area.row) + " of " + name;
  if (area.columns == 1 && area.rows == operand.rows && area.rows > 1)
    return "column " + std::to_string(area.column) + " of " + name;
  const auto range = [](uint32_t first, uint32_t count) {
    return "[" + std::to_string(first) +
           (count > 1 ? "…" + std::to_string(first + count - 1) : std::string()) + "]";
  };
  const bool hasRows = indexedColumns(side, operand) > 0;
  const std::string row = hasRows ? range(area.row, area.rows) : std::string();
  return name + row + range(area.column, area.columns) + (area.dense ? "" : " (some of it)");
}

std::string areasText(const TracedKernel& side, const std::vector<Area>& areas) {
  std::string text;
  for (const Area& area : areas) text += (text.empty() ? "" : ", ") + areaText(side, area);
  return text;
}

std::vector<trace::Access> accessesAt(const std::vector<trace::Place>& places) {
  std::vector<trace::Access> accesses;
  for (const trace::Place& place : places) {
    trace::Access access;
    access.buffer = place.buffer;
    access.offset = place.offset;
    accesses.push_back(access);
  }
  return accesses;
}

/// The offset of a lane's access; absent if the event has no offsets.
std::optional<uint32_t> offsetOf(const trace::TraceEvent& event, uint32_t lane) {
  if (event.offsets.empty()) return std::nullopt;
  const uint32_t before = event.mask & ((1U << lane) - 1);
  return event.offsets[static_cast<size_t>(std::popcount(before))];
}

std::string placeText(const TracedKernel& side, const trace::TraceEvent& event, uint32_t lane) {
  const std::optional<uint32_t> offset = offsetOf(event, lane);
  if (!offset) return "memory";
  return event.space == Space::shared ? slotName(side, event.buffer, *offset, event.width)
                                      : elementName(side, event.buffer, *offset);
}

}  // namespace

std::string doingText(const TracedKernel& side, uint32_t index, uint32_t thread) {
  const trace::TraceEvent event = side.replay->recording().event(index);
  const bool shared = event.space == Space::shared;
  switch (event.operation) {
    case Operation::load:
      return (shared ? "reads " : "loads ") + placeText(side, event, thread % 32);
    case Operation::store:
      return (shared ? "fills " : "stores ") + placeText(side, event, thread % 32);
    case Operation::atomic:
      return "updates " + placeText(side, event, thread % 32) + " atomically";
    case Operation::barrier:
      return "waits at the barrier";
    case Operation::accumulate:
      return "adds to its sum";
    case Operation::copy:
      return event.space == Space::none ? "begins to fill in zeros past the edge"
                                        : "begins to copy " + placeText(side, event, thread % 32);
    case Operation::arrive:
      return "has waited until " + placeText(side, event, thread % 32) + " is filled";
  }
  return {};
}

ThreadStory::ThreadStory(const BlockWork& work, uint32_t thread)
    : side_(work.side()), thread_(thread), phases_(work.of(thread)) {
  const trace::BlockTrace& recording = side_->replay->recording();
  for (size_t i = 0; i < recording.size(); ++i) {
    const trace::TraceEvent event = recording.event(i);
    if (event.warp == thread / 32 && (event.mask >> (thread % 32) & 1U) != 0)
      events_.push_back(static_cast<uint32_t>(i));
  }
  std::vector<trace::Place> loaded, used, stored;
  for (const ThreadWork& phase : phases_) {
    for (const trace::GlobalLoad& load : phase.loads)
      loaded.push_back({load.from.buffer, load.from.offset});
    for (const ThreadWork::Use& use : phase.uses)
      if (use.element) used.push_back(*use.element);
    for (const trace::Access& store : phase.stores) stored.push_back({store.buffer, store.offset});
  }
  const compile::Plan& plan = side_->result->plan;
  constant_.number = thread;
  constant_.warp = thread / 32;
  constant_.lane = thread % 32;
  constant_.at = trace::threadOf(thread, recording.blockShape);
  constant_.name = "(" + std::to_string(constant_.at.x) + ", " + std::to_string(constant_.at.y);
  if (recording.blockShape.z > 1) constant_.name += ", " + std::to_string(constant_.at.z);
  constant_.name += ")";
  constant_.needs = areasOf(plan, accessesAt(used.empty() ? loaded : used));
  constant_.output = areasOf(plan, accessesAt(stored));
  constant_.reads = areasText(*side_, constant_.needs);
  for (const Touched& touched : elementsText(*side_, stored))
    constant_.makes += (constant_.makes.empty() ? "" : ", ") + touched.text;
}

std::optional<trace::Place> ThreadStory::output() const {
  for (const ThreadWork& work : phases_)
    if (!work.stores.empty()) return trace::Place{work.stores[0].buffer, work.stores[0].offset};
  return std::nullopt;
}

void ThreadStory::addSum(ThreadView& view, const TracedStep& step) const {
  const uint32_t sums = side_->replay->recording().accumulators;
  view.sumName = side_->sumName;
  const TermCounter counter(*side_);
  for (uint32_t i = 0; i < std::min(sums, 4U); ++i) {
    const auto index = static_cast<int16_t>(i);
    const trace::Accumulator* end = side_->end.findAccumulator(thread_, index);
    const trace::Accumulator* now = step.state.findAccumulator(thread_, index);
    if (end == nullptr || now == nullptr || end->updates == 0) continue;
    if (!view.sum.empty()) view.sum += "   ";
    const SumTerms terms = counter.termsOf(*now);
    if (!terms.idle)
      view.sum +=
          (now->updates == 0 ? std::string("nothing yet")
                             : exact(valueOf(outputType(*side_), now->bits), outputType(*side_))) +
          ", ";
    view.sum += termsText(terms);
  }
  if (sums > 4) view.sum += "   …";
}

void ThreadStory::addPhase(ThreadView& view, const TracedStep& step) const {
  const size_t at =
      side_->replay->sameMoment(step.grain, step.index, trace::StepGranularity::phase);
  const std::optional<uint32_t> phase =
      side_->replay->step(trace::StepGranularity::phase, at).phase;
  if (phase) view.phase = "phase " + std::to_string(*phase);
  const ThreadWork& work = phases_[at];
  std::vector<trace::Place> direct;
  for (const trace::GlobalLoad& load : work.loads) {
    if (!load.to) {
      direct.push_back({load.from.buffer, load.from.offset});
      continue;
    }
    view.fills.push_back(*load.to);
    view.loads.push_back(elementName(*side_, load.from.buffer, load.from.offset) + " → " +
                         slotName(*side_, load.to->buffer, load.to->offset, load.from.width));
  }
  for (Touched& touched : elementsText(*side_, direct))
    view.loads.push_back(std::move(touched.text));
  view.gains = gainText(*side_, work);
  for (const ThreadWork::Use& use : work.uses)
    if (use.shared) view.slots.push_back({use.access.buffer, use.access.offset});
}

void ThreadStory::addMoment(ThreadView& view, const TracedStep& step) const {
  const trace::BlockTrace& recording = side_->replay->recording();
  const auto after = std::ranges::upper_bound(events_, step.step.lastEvent);
  const auto text = [&](uint32_t event) {
    const uint32_t line = side_->lineOf(recording.event(event));
    return (line > 0 ? "line " + std::to_string(line) + ": " : std::string()) +
           doingText(*side_, event, thread_);
  };
  if (after != events_.begin()) {
    view.line = side_->lineOf(recording.event(*std::prev(after)));
    view.doing = text(*std::prev(after));
  }
  view.next = after != events_.end() ? text(*after) : stopText();
}

std::string ThreadStory::stopText() const {
  const trace::BlockTrace& recording = side_->replay->recording();
  bool isStopped = false;
  for (const device::Fault& fault : side_->result->faults) {
    if (!device::endsLaunch(fault)) continue;
    isStopped = true;
    if (fault.at.block == recording.block &&
        trace::numberOf(fault.at.thread, recording.blockShape) == thread_)
      return (fault.at.line > 0 ? "line " + std::to_string(fault.at.line) + ": " : std::string()) +
             fault.kind + ", and the launch stops";
  }
  if (isStopped) return "nothing: the launch was stopped";
  return "done";
}

std::shared_ptr<const ThreadView> ThreadStory::viewAt(const TracedStep& step) const {
  auto view = std::make_shared<ThreadView>(constant_);
  addSum(*view, step);
  addPhase(*view, step);
  addMoment(*view, step);
  return view;
}

}  // namespace tilestep::features
