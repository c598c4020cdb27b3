// SPDX-License-Identifier: Apache-2.0
#include "features/scene/panel_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "features/scene/atomic_sources.h"
#include "features/scene/panel_matrices.h"
#include "features/scene/panel_overview.h"
#include "lab/elements.h"
#include "model/choice/planning.h"
#include "model/scene/sums_in_memory.h"
#include "model/scene/wrong_outputs.h"
#include "model/text/step_summary.h"
#include "model/text/step_text.h"
#include "model/text/sum_terms.h"

namespace tilestep::features {
namespace {

constexpr size_t kMaxLinks = 4096;
constexpr uint32_t kWarpSize = 32;

/// Builds one scene; lives for one call.
class Builder {
 public:
  Builder(const TracedStep& step, const TracedStep* comparison, const SceneLook& look,
          const SumPlaces& sums, bool sumsInMemory)
      : step_(step),
        side_(*step.side),
        comparison_(comparison),
        look_(look),
        sums_(sums),
        sumsInMemory_(sumsInMemory) {
    if (!sumsInMemory_) return;
    for (const trace::OutputElement& element : side_.end.outputs)
      elementOf_.try_emplace(element.writer, element.place);
  }

  gfx::SceneModel build(const std::vector<SceneValues>& inputs,
                        const std::vector<SceneValues>& outputs) {
    addTitle();
    for (size_t i = 0; i < side_.result->plan.operands.size(); ++i)
      addPanel(i, isInput(side_, i) && !outputs[i].picture ? inputs[i] : outputs[i]);
    const auto& arrays = side_.replay->recording().sharedArrays;
    for (size_t i = 0; i < arrays.size(); ++i) addArray(i);
    if (arrays.empty()) addAbsentArrays();
    addThreads();
    addLinks();
    if (look_.thread != nullptr) follow(*look_.thread);
    if (look_.covered) return std::move(model_);  // The error may reveal the answer.
    model_.warning = model::problemText(side_);
    if (look_.race != nullptr) markRaces(*look_.race);
    markWrong(look_.race != nullptr && !look_.race->wrongElements.empty()
                  ? look_.race->wrongElements
                  : side_.wrong);
    return std::move(model_);
  }

 private:
  void addTitle() {
    model_.title = side_.shortName;
    if (step_.step.phase) {
      model_.caption = model::phaseCaption(step_);
      if (step_.step.kind != trace::StepKind::whole)
        model_.caption += " · " + model::kindText(step_);
    } else {
      model_.caption =
          step_.step.kind == trace::StepKind::whole ? "the whole block" : model::kindText(step_);
    }
    model_.countsCovered = look_.covered;
    if (!look_.aside.empty()) model_.caption += " · " + look_.aside;
    if (side_.result->blockAlone) model_.caption += " · only " + blockNote(side_) + " is run";
    if (look_.stale) model_.caption += look_.busy ? " · updating…" : " · an earlier choice";
    model_.motion = look_.motion;
  }

  void addPanel(size_t operand, const SceneValues& values) {
    const compile::ResolvedOperand& resolved = side_.result->plan.operands[operand];
    if (resolved.spec.kind != OperandKind::buffer || resolved.rows == 0) return;
    panelOf_[static_cast<int16_t>(operand)] = static_cast<uint32_t>(model_.panels.size());
    model_.panels.push_back(matrixPanel(step_, comparison_, operand, values));
  }

  static uint32_t slotBytes(const std::vector<trace::SharedSlot>& slots, size_t array) {
    for (const trace::SharedSlot& slot : slots)
      if (static_cast<size_t>(slot.place.buffer) == array) return std::max<uint32_t>(slot.width, 1);
    return 4;
  }

  static gfx::SlotArray frameOf(const TracedStep& step, size_t index) {
    const trace::SharedArray& shared = step.side->replay->recording().sharedArrays[index];
    const uint32_t slots = std::max(1U, shared.bytes / slotBytes(step.state.shared, index));
    gfx::SlotArray array;
    array.name = shared.name;
    array.columns = shared.columns > 0 ? shared.columns : std::min(slots, kWarpSize);
    array.rows = static_cast<uint32_t>(ceilDiv(slots, array.columns));
    return array;
  }

  void addArray(size_t index) {
    gfx::SlotArray array = frameOf(step_, index);
    array.slots.resize(size_t{array.rows} * array.columns);
    const uint32_t width = slotBytes(step_.state.shared, index);
    const ElementType type = typeOfSlots(side_, array.name, width);
    const bool isWhole = !lab::isFloatingPoint(type);
    for (const trace::SharedSlot& slot : step_.state.shared) {
      const size_t at = slot.place.offset / width;
      if (static_cast<size_t>(slot.place.buffer) != index || at >= array.slots.size()) continue;
      if (slot.written) array.slots[at] = slotOf(slot, type);
      if (isWhole) array.high = std::max(array.high, std::fabs(array.slots[at].value));
    }
    array.low = -array.high;
    const auto freshen = [&](const std::vector<trace::Access>& accesses) {
      for (const trace::Access& access : accesses)
        if (static_cast<size_t>(access.buffer) == index &&
            access.offset / width < array.slots.size())
          array.slots[access.offset / width].fresh = true;
    };
    freshen(step_.activity.sharedWrites);
    freshen(step_.activity.sharedReads);
    freshen(atomicsOn(trace::Space::shared, step_));
    arrayWidth_.push_back(width);
    model_.arrays.push_back(std::move(array));
  }

  gfx::Slot slotOf(const trace::SharedSlot& shared, ElementType type) const {
    gfx::Slot slot;
    slot.written = true;
    slot.known = shared.known;
    const double value = shared.known ? valueOf(type, shared.bits) : 0;
    slot.value = static_cast<float>(value);
    slot.warp = static_cast<int>(shared.writer / kWarpSize);
    if (shared.origin)
      slot.origin = shortElement(shared.origin->buffer, shared.origin->offset);
    else if (shared.known && shared.bits == 0)
      slot.origin = "0";
    return slot;
  }

  /// "M[2,5]": short enough for a cell.
  std::string shortElement(int16_t buffer, uint32_t offset) const {
    const auto& operands = side_.result->plan.operands;
    if (buffer < 0 || static_cast<size_t>(buffer) >= operands.size()) return {};
    const compile::ResolvedOperand& operand = operands[static_cast<size_t>(buffer)];
    const uint64_t element = offset / bytesOf(operand.spec.type);
    if (operand.columns == 0) return operand.spec.name + "[" + std::to_string(element) + "]";
    return operand.spec.name + "[" + std::to_string(element / operand.columns) + "," +
           std::to_string(element % operand.columns) + "]";
  }

  void addAbsentArrays() {
    if (comparison_ == nullptr) return;
    const size_t count = comparison_->side->replay->recording().sharedArrays.size();
    for (size_t i = 0; i < count; ++i) {
      gfx::SlotArray array = frameOf(*comparison_, i);
      array.name.clear();
      array.absent = true;
      array.note = "no shared memory";
      model_.arrays.push_back(std::move(array));
    }
  }

  void addThreads() {
    const trace::BlockTrace& recording = side_.replay->recording();
    if (recording.accumulators == 0 || sumsInMemory_) return;
    const uint32_t each = recording.accumulators;
    gfx::ThreadGrid grid;
    grid.name = side_.sumName;
    grid.rows = sums_.rows;
    grid.columns = sums_.columns;
    grid.threads.resize(size_t{grid.rows} * grid.columns);
    grid.high = largestOutput(side_);
    grid.low = -grid.high;
    grid.note = each == 1 ? "a sum per thread"
                          : std::to_string(each) + " sums per thread, " +
                                (sums_.byElement ? "each at its element of " + outputName()
                                                 : "side by side");
    const ElementType type = model::outputType(side_);
    // A truncated trace may lack later terms of a sum.
    const bool isCut = recording.truncated();
    const model::TermCounter counter(side_);
    const uint32_t leastTerms =
        isCut ? counter.atMost(side_.phases() * model::phaseLengthOf(side_)) : 0U;
    const auto threads = static_cast<uint32_t>(recording.blockShape.count());
    for (uint32_t thread = 0; thread < threads; ++thread)
      for (uint32_t i = 0; i < each; ++i)
        if (const auto at = cellOf(thread, static_cast<int16_t>(i)))
          grid.threads[*at].idle = counter.isIdle(thread, static_cast<int16_t>(i));
    for (const trace::Accumulator& sum : step_.state.accumulators) {
      const std::optional<size_t> at = cellOf(sum.thread, sum.index);
      if (!at) continue;
      gfx::Accumulator& cell = grid.threads[*at];
      cell.value = sum.updates > 0 ? static_cast<float>(valueOf(type, sum.bits)) : 0;
      const model::SumTerms terms = counter.termsOf(sum);
      cell.terms = terms.idle ? 0 : terms.now;
      cell.ofTerms = terms.idle ? 0 : std::max(terms.of, leastTerms);
      cell.warp = static_cast<int>(sum.thread / kWarpSize);
    }
    for (const trace::Access& sum : step_.activity.accumulates)
      if (const auto at = cellOf(sum.thread, sum.buffer))
        grid.threads[*at].fresh = !grid.threads[*at].idle;
    model_.threads.push_back(std::move(grid));
  }

  /// Marks row and column, slots, sum and output of the followed thread.
  void follow(const ThreadView& thread) {
    for (const auto* areas : {&thread.needs, &thread.output})
      for (const Area& area : *areas)
        if (const auto panel = panelOf_.find(area.operand); panel != panelOf_.end())
          model_.panels[panel->second].highlights.push_back({rectOf(area), gfx::Mark::followed});
    const bool fills = thread.slots.empty() || step_.step.kind == trace::StepKind::load;
    for (const trace::Place& slot : fills ? thread.fills : thread.slots)
      if (const auto place = placeOfSlot(slot.buffer, slot.offset))
        if (gfx::SlotArray& array = model_.arrays[place->index]; place->row < array.rows)
          array.slots[size_t{place->row} * array.columns + place->column].followed = true;
    if (model_.threads.empty()) return;
    const uint32_t each = side_.replay->recording().accumulators;
    for (uint32_t i = 0; i < each; ++i)
      if (const auto at = cellOf(thread.number, static_cast<int16_t>(i)))
        model_.threads.front().threads[*at].followed = true;
  }

  /// Marks slots with races in the step's epochs.
  void markRaces(const RaceView& race) {
    const auto& byEpoch = race.races.byEpoch;
    const auto end = byEpoch.upper_bound(step_.step.lastEpoch);
    for (auto epoch = byEpoch.lower_bound(step_.step.epoch); epoch != end; ++epoch)
      for (const auto& [lines, slots] : epoch->second)
        for (const trace::Place& slot : slots)
          if (const auto place = placeOfSlot(slot.buffer, slot.offset))
            if (gfx::SlotArray& array = model_.arrays[place->index]; place->row < array.rows)
              array.slots[size_t{place->row} * array.columns + place->column].hazard = true;
  }

  /// Marks wrong elements once they are written; in the last step, also those never written.
  void markWrong(const std::vector<trace::Place>& wrong) {
    const bool last = step_.index + 1 == side_.replay->size(step_.grain);
    for (const trace::OutputElement& element : step_.state.outputs) {
      if ((!element.written && !last) || std::ranges::find(wrong, element.place) == wrong.end())
        continue;
      if (const auto place = placeOfElement(element.place.buffer, element.place.offset))
        model_.panels[place->index].cells.push_back({place->row, place->column, gfx::Mark::wrong});
    }
  }

  /// The cell of a sum; absent if the sum is not stored to the output.
  std::optional<size_t> cellOf(uint32_t thread, int16_t accumulator) const {
    if (accumulator < 0) return std::nullopt;
    const size_t at =
        size_t{thread} * side_.replay->recording().accumulators + static_cast<size_t>(accumulator);
    if (at >= sums_.cells.size() || sums_.cells[at] == SumPlaces::kNowhere) return std::nullopt;
    return sums_.cells[at];
  }

  std::string outputName() const {
    for (const compile::ResolvedOperand& operand : side_.result->plan.operands)
      if (operand.spec.direction == Direction::out) return operand.spec.name;
    return "the output";
  }

  std::optional<gfx::Place> placeOfElement(int16_t buffer, uint32_t offset) const {
    const auto panel = panelOf_.find(buffer);
    if (panel == panelOf_.end()) return std::nullopt;
    const compile::ResolvedOperand& operand =
        side_.result->plan.operands[static_cast<size_t>(buffer)];
    const uint64_t element = offset / bytesOf(operand.spec.type);
    return gfx::Place{gfx::Place::In::panel, panel->second,
                      static_cast<uint32_t>(element / operand.columns),
                      static_cast<uint32_t>(element % operand.columns)};
  }

  std::optional<gfx::Place> placeOfSlot(int16_t buffer, uint32_t offset) const {
    if (buffer < 0 || static_cast<size_t>(buffer) >= arrayWidth_.size()) return std::nullopt;
    const auto index = static_cast<uint32_t>(buffer);
    const uint32_t slot = offset / arrayWidth_[index];
    const uint32_t columns = model_.arrays[index].columns;
    return gfx::Place{gfx::Place::In::array, index, slot / columns, slot % columns};
  }

  /// The position of the thread's first sum, or of the output element if it adds in memory.
  std::optional<gfx::Place> placeOfThread(uint32_t thread) const {
    if (const auto own = elementOf_.find(thread); own != elementOf_.end())
      return placeOfElement(own->second.buffer, own->second.offset);
    if (model_.threads.empty()) return std::nullopt;
    const gfx::ThreadGrid& grid = model_.threads.front();
    const auto each = static_cast<int16_t>(side_.replay->recording().accumulators);
    for (int16_t i = 0; i < each; ++i)
      if (const std::optional<size_t> cell = cellOf(thread, i))
        return gfx::Place{gfx::Place::In::threads, 0, static_cast<uint32_t>(*cell / grid.columns),
                          static_cast<uint32_t>(*cell % grid.columns)};
    return std::nullopt;
  }

  /// The source of a stored value: a slot or element that the thread read, otherwise its sum.
  std::optional<gfx::Place> placeOfSource(const model::StoreSource& source,
                                          const trace::Access& store) const {
    if (source.place.buffer < 0) return placeOfThread(store.thread);
    return source.shared ? placeOfSlot(source.place.buffer, source.place.offset)
                         : placeOfElement(source.place.buffer, source.place.offset);
  }

  void link(const std::optional<gfx::Place>& from, const std::optional<gfx::Place>& to,
            const trace::Access& access, const char* what) {
    if (!from || !to || *from == *to) return;
    if (model_.overview) ribbons_.add(*from, *to, what);
    const bool followed = look_.thread != nullptr && look_.thread->number == access.thread;
    const bool touched = followed || *from == look_.hovered || *to == look_.hovered;
    if (model_.links.size() >= kMaxLinks || (model_.overview && !touched)) return;
    const uint32_t warp = access.warp;
    model_.links.push_back({*from, *to, static_cast<int>(warp), touched});
  }

  /// Adds a link per access. An overview has flows, and links only for followed or hovered
  /// accesses.
  void addLinks() {
    model_.overview = isOverview(step_) || (comparison_ != nullptr && isOverview(*comparison_));
    model_.isolated = look_.thread != nullptr || look_.spotlight;
    addEachLink();
    if (!model_.overview) return;
    model_.ribbons = ribbons_.all(step_, comparison_);
    model_.sample = sampleOf(step_, comparison_);
  }

  void addEachLink() {
    for (const trace::GlobalLoad& load : step_.activity.globalLoads)
      link(
          placeOfElement(load.from.buffer, load.from.offset),
          load.to ? placeOfSlot(load.to->buffer, load.to->offset) : placeOfThread(load.from.thread),
          load.from, "loads");
    for (const trace::Access& read : step_.activity.sharedReads)
      link(placeOfSlot(read.buffer, read.offset), placeOfThread(read.thread), read, "reads");
    addAtomicLinks();
    for (size_t i = 0; i < step_.activity.outputStores.size(); ++i) {
      const trace::Access& store = step_.activity.outputStores[i];
      link(i < step_.storeSources.size() ? placeOfSource(step_.storeSources[i], store)
                                         : placeOfThread(store.thread),
           placeOfElement(store.buffer, store.offset), store, "stores");
    }
  }

  /// Links the values that threads read to the elements that they change by atomic operations.
  void addAtomicLinks() {
    for (const auto& [source, isShared, atomic] : atomicUpdatesOf(step_))
      link(placeOfSource(source, atomic),
           isShared ? placeOfSlot(atomic.buffer, atomic.offset)
                    : placeOfElement(atomic.buffer, atomic.offset),
           atomic, "updates");
  }

  const TracedStep& step_;
  const TracedKernel& side_;
  const TracedStep* comparison_;
  const SceneLook& look_;
  const SumPlaces& sums_;
  bool sumsInMemory_;
  std::map<uint32_t, trace::Place> elementOf_;  ///< By thread. Empty unless sums are in memory.
  gfx::SceneModel model_;
  Ribbons ribbons_;
  std::map<int16_t, uint32_t> panelOf_;
  std::vector<uint32_t> arrayWidth_;
};

}  // namespace

std::shared_ptr<const gfx::SceneModel> SceneBuilder::build(
    unsigned slot, const std::shared_ptr<const TracedStep>& step, const TracedStep* comparison,
    const SceneLook& look) {
  Kept& kept = kept_[slot];
  if (kept.side != step->side) {
    Kept before = std::move(kept);
    kept = Kept{step->side,
                {},
                nullptr,
                {},
                {},
                sumPlacesOf(*step->side),
                model::sumsInMemory(*step->side)};
    if (before.outputsOf)
      kept.finished = finishedBefore(*step->side, *before.outputsOf, std::move(before.finished));
    kept.inputs = valuesOfInputs(*step->side, {&before.inputs, &kept_[0].inputs, &kept_[1].inputs});
  }
  if (kept.outputsOf != step) {
    const bool same = kept.outputsOf && kept.outputsOf->state.outputs == step->state.outputs;
    if (!same) kept.outputs = valuesOfOutputs(*step, kept.finished);
    kept.outputsOf = step;
  }
  return std::make_shared<gfx::SceneModel>(
      Builder(*step, comparison, look, kept.sums, kept.sumsInMemory)
          .build(kept.inputs, kept.outputs));
}

}  // namespace tilestep::features
