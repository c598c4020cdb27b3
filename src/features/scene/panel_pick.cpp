// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "features/scene/panel_model.h"

namespace tilestep::features {

std::optional<Dim3> threadAt(const model::TracedStep& step, const gfx::SceneModel& model,
                             const gfx::Place& place) {
  const trace::BlockTrace& recording = step.side->replay->recording();
  const auto named = [&](uint32_t thread) { return trace::threadOf(thread, recording.blockShape); };
  const auto cellIn = [&](uint32_t columns) { return size_t{place.row} * columns + place.column; };
  if (place.in == gfx::Place::In::threads) {
    const size_t cell = cellIn(model.threads[place.index].columns);
    if (recording.accumulators > 1) {
      const SumPlaces sums = sumPlacesOf(*step.side);
      const auto at = std::find(sums.cells.begin(), sums.cells.end(), cell);
      if (at == sums.cells.end()) return std::nullopt;
      return named(static_cast<uint32_t>(at - sums.cells.begin()) / recording.accumulators);
    }
    const size_t thread = cell / std::max(recording.accumulators, 1U);
    if (thread >= recording.blockShape.count()) return std::nullopt;
    return named(static_cast<uint32_t>(thread));
  }
  if (place.in == gfx::Place::In::array && place.index < recording.sharedArrays.size()) {
    const size_t cell = cellIn(model.arrays[place.index].columns);
    for (const trace::SharedSlot& slot : step.state.shared)
      if (static_cast<uint32_t>(slot.place.buffer) == place.index && slot.written &&
          slot.place.offset / std::max<uint32_t>(slot.width, 1) == cell)
        return named(slot.writer);
  }
  if (place.in != gfx::Place::In::panel) return std::nullopt;
  const gfx::MatrixPanel& panel = model.panels[place.index];
  const auto& operands = step.side->result->plan.operands;
  for (const trace::OutputElement& element : step.side->end.outputs) {
    const auto number = static_cast<size_t>(element.place.buffer);
    // The element belongs to no operand.
    if (element.place.buffer < 0 || number >= operands.size()) continue;
    const auto& operand = operands[number];
    const bool same = operand.spec.name == panel.name && element.written &&
                      element.place.offset / bytesOf(operand.spec.type) == cellIn(panel.columns);
    if (same) return named(element.writer);
  }
  return std::nullopt;
}

}  // namespace tilestep::features
