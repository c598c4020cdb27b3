// SPDX-License-Identifier: Apache-2.0
#include "features/scene/panel_values.h"

#include <limits>

#include "model/scene/seeded_values.h"
#include "model/text/step_text.h"

namespace tilestep::features {
namespace {

/// The maximum number of elements that are kept of an output, or of the block's part of it.
constexpr uint64_t kMaxHeldElements = uint64_t{1} << 20;

/// A large input whose visible part is computed from the seed.
class InputSource : public gfx::ValueSource {
 public:
  InputSource(const model::SeededValues& values, uint64_t columns)
      : values_(values), columns_(columns) {}
  void read(uint32_t row, uint32_t column, uint32_t count, float* out) const override {
    values_.read(row * columns_ + column, count, out);
  }
  [[nodiscard]] const model::SeededValues& values() const { return values_; }

 private:
  model::SeededValues values_;
  uint64_t columns_;
};

/// The elements of an output that are kept: all, or those in the block's part.
gfx::CellRect heldOf(const TracedKernel& side, size_t operand) {
  const compile::ResolvedOperand& output = side.result->plan.operands[operand];
  if (output.elements <= kMaxHeldElements && !side.result->blockAlone)
    return {0, 0, static_cast<uint32_t>(output.rows), static_cast<uint32_t>(output.columns)};
  const Area* area = areaOf(side.blockAreas, operand);
  if (area == nullptr || uint64_t{area->rows} * area->columns > kMaxHeldElements)
    return {0, 0, 0, 0};
  return rectOf(*area);
}

/// The output of a device that ran all blocks; null if it sent none.
std::shared_ptr<const gfx::Picture> meansOf(const TracedKernel& side, size_t operand) {
  for (const lab::Picture& means : side.result->pictures) {
    if (means.operand != operand || means.values.empty()) continue;
    return std::make_shared<gfx::Picture>(gfx::Picture{means.height, means.width, means.values});
  }
  return nullptr;
}

/// An operand's values before the launch; null if they were not kept.
std::shared_ptr<gfx::Picture> filledBefore(const TracedKernel& side, size_t operand) {
  if (operand >= side.inputs.size() || !side.inputs[operand]) return nullptr;
  const compile::ResolvedOperand& resolved = side.result->plan.operands[operand];
  return std::make_shared<gfx::Picture>(gfx::Picture{static_cast<uint32_t>(resolved.rows),
                                                     static_cast<uint32_t>(resolved.columns),
                                                     *side.inputs[operand]});
}

std::shared_ptr<const gfx::ValueSource> sourceOf(
    const TracedKernel& side, size_t operand,
    std::initializer_list<const std::vector<SceneValues>*> known) {
  const compile::ResolvedOperand& resolved = side.result->plan.operands[operand];
  const bool read = resolved.spec.kind == OperandKind::buffer &&
                    resolved.spec.direction != Direction::out && resolved.rows > 0;
  if (!read || side.result->hasGivenData) return nullptr;
  const model::SeededValues values(resolved, static_cast<uint32_t>(operand), side.seed);
  for (const auto* inputs : known)
    for (const SceneValues& one : *inputs) {
      const auto* same = static_cast<const InputSource*>(one.source.get());
      if (same != nullptr && same->values().sameAs(values)) return one.source;
    }
  return std::make_shared<const InputSource>(values, resolved.columns);
}

}  // namespace

ElementType typeOfSlots(const TracedKernel& side, const std::string& array, uint32_t width) {
  for (const compile::SharedSpec& shared : side.spec.shared)
    for (const compile::ResolvedOperand& operand : side.result->plan.operands)
      if (shared.name == array && shared.holds == operand.spec.name &&
          bytesOf(operand.spec.type) == width)
        return operand.spec.type;
  return width == 8 ? ElementType::f64 : ElementType::f32;
}

gfx::CellRect rectOf(const Area& area) {
  return {area.row, area.column, area.rows, area.columns};
}

const Area* areaOf(const std::vector<Area>& areas, size_t operand) {
  for (const Area& area : areas)
    if (static_cast<size_t>(area.operand) == operand) return &area;
  return nullptr;
}

std::vector<SceneValues> valuesOfInputs(
    const TracedKernel& side, std::initializer_list<const std::vector<SceneValues>*> known) {
  std::vector<SceneValues> inputs(side.inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!side.inputs[i]) {
      inputs[i].source = sourceOf(side, i, known);
      continue;
    }
    auto picture = std::make_shared<gfx::Picture>();
    picture->rows = static_cast<uint32_t>(side.result->plan.operands[i].rows);
    picture->columns = static_cast<uint32_t>(side.result->plan.operands[i].columns);
    picture->values = *side.inputs[i];
    inputs[i].picture = std::move(picture);
  }
  return inputs;
}

std::vector<trace::OutputElement> finishedBefore(const TracedKernel& next, const TracedStep& before,
                                                 std::vector<trace::OutputElement> finished) {
  const TracedKernel& last = *before.side;
  const compile::Plan &plan = next.result->plan, &lastPlan = last.result->plan;
  const bool same = next.kernel == last.kernel && next.sourceText == last.sourceText &&
                    next.removedLine == last.removedLine && next.seed == last.seed &&
                    plan.sizes == lastPlan.sizes && plan.tunables == lastPlan.tunables;
  if (!same) return {};
  if (before.index + 1 == last.replay->size(before.grain))
    finished.insert(finished.end(), before.state.outputs.begin(), before.state.outputs.end());
  return finished;
}

std::vector<SceneValues> valuesOfOutputs(const TracedStep& step,
                                         const std::vector<trace::OutputElement>& finished) {
  const auto& operands = step.side->result->plan.operands;
  std::vector<std::shared_ptr<gfx::Picture>> drawn(operands.size());
  std::vector<gfx::CellRect> held(operands.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].spec.direction == Direction::in || operands[i].rows == 0) continue;
    if (operands[i].spec.direction == Direction::inout) {
      drawn[i] = filledBefore(*step.side, i);
      if (drawn[i]) held[i] = {0, 0, drawn[i]->rows, drawn[i]->columns};
      continue;
    }
    held[i] = heldOf(*step.side, i);
    drawn[i] = std::make_shared<gfx::Picture>();
    drawn[i]->rows = held[i].rows;
    drawn[i]->columns = held[i].columns;
    drawn[i]->values.assign(size_t{held[i].rows} * held[i].columns,
                            std::numeric_limits<float>::quiet_NaN());
  }
  const auto write = [&](const trace::OutputElement& element) {
    const auto operand = static_cast<size_t>(element.place.buffer);
    if (operand >= drawn.size() || !drawn[operand]) return;
    if (operands[operand].spec.direction == Direction::inout && !element.written) return;
    const ElementType type = operands[operand].spec.type;
    const uint64_t at = element.place.offset / bytesOf(type);
    const uint64_t row = at / operands[operand].columns, column = at % operands[operand].columns;
    const gfx::CellRect& area = held[operand];
    const bool inside = row >= area.row && row - area.row < area.rows && column >= area.column &&
                        column - area.column < area.columns;
    if (inside)
      drawn[operand]->values[(row - area.row) * area.columns + (column - area.column)] =
          element.written && element.known ? static_cast<float>(valueOf(type, element.bits))
                                           : std::numeric_limits<float>::quiet_NaN();
  };
  for (const trace::OutputElement& element : finished) write(element);
  for (const trace::OutputElement& element : step.state.outputs) write(element);
  std::vector<SceneValues> values(operands.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!drawn[i] || drawn[i]->values.empty()) continue;
    const bool whole = held[i].rows == operands[i].rows && held[i].columns == operands[i].columns;
    if (whole)
      values[i].picture = drawn[i];
    else
      values[i] = {meansOf(*step.side, i), {held[i], drawn[i]}, nullptr};
  }
  return values;
}

}  // namespace tilestep::features
