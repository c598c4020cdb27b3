// SPDX-License-Identifier: Apache-2.0
#include "features/scene/panel_matrices.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "features/scene/atomic_sources.h"
#include "lab/elements.h"
#include "model/choice/planning.h"
#include "model/text/step_text.h"

namespace tilestep::features {
namespace {

/// The part of a matrix's rows or columns that a block accesses.
struct Part {
  uint64_t first = 0, count = 0, all = 0;
};

/// If all of the `blocks` blocks access equally large parts, the size of a part, derived from the
/// part of block `block`. 0 if the parts differ or overlap, as with a halo.
uint32_t equalParts(const Part& part, uint32_t block, uint32_t blocks, uint32_t threads) {
  const uint64_t size = block > 0 ? part.first / block : part.count;
  if (size == 0 || part.first != size * block || part.count > size) return 0;
  const bool isCut = part.count < size && part.first + part.count < part.all;
  // Block 0 has no previous neighbour, so a halo may extend its part only on one side.
  const bool isUneven = block == 0 && size < part.all && size % threads != 0;
  if (isCut || isUneven || (part.all + size - 1) / size != blocks) return 0;
  return static_cast<uint32_t>(size);
}

constexpr size_t kManyPhases = 32;

gfx::PanelRole roleOf(const TracedKernel& side, const compile::ResolvedOperand& operand) {
  const bool writes = operand.spec.direction != Direction::in;
  if (!side.spec.reference.starts_with("matmul"))
    return writes ? gfx::PanelRole::output : gfx::PanelRole::input;
  if (operand.spec.columns == "k") return gfx::PanelRole::left;
  if (operand.spec.rows == "k") return gfx::PanelRole::top;
  return writes ? gfx::PanelRole::product : gfx::PanelRole::input;
}

/// The accessed elements of one operand, repeated for each access.
std::vector<uint64_t> elementsOf(const TracedKernel& side, size_t operand,
                                 const std::vector<trace::Access>& accesses) {
  const uint32_t width = bytesOf(side.result->plan.operands[operand].spec.type);
  std::vector<uint64_t> elements;
  for (const trace::Access& access : accesses)
    if (access.buffer >= 0 && static_cast<size_t>(access.buffer) == operand)
      elements.push_back(access.offset / width);
  return elements;
}

std::vector<uint64_t> loadedIn(const TracedStep& step, size_t operand) {
  std::vector<trace::Access> loads;
  for (const trace::GlobalLoad& load : step.activity.globalLoads) loads.push_back(load.from);
  return elementsOf(*step.side, operand, loads);
}

/// Whether the step loads an element more than once.
bool loadsAgain(const TracedStep& step) {
  const auto& operands = step.side->result->plan.operands;
  for (size_t i = 0; i < operands.size(); ++i)
    if (operands[i].spec.kind == OperandKind::buffer &&
        std::ranges::any_of(model::countElements(loadedIn(step, i)),
                            [](const auto& element) { return element.times > 1; }))
      return true;
  return false;
}

/// The largest magnitude of an input. Random floating-point inputs are at most 1.
float largestInput(const SceneValues& values, ElementType type) {
  constexpr float kLargestRandom = 255;
  if (lab::isFloatingPoint(type)) return 1;
  if (!values.picture) return kLargestRandom;
  float most = 1;
  for (const float value : values.picture->values) most = std::max(most, std::fabs(value));
  return most;
}

/// Builds one panel; lives for one call.
class MatrixBuilder {
 public:
  MatrixBuilder(const TracedStep& step, const TracedStep* comparison)
      : step_(step), side_(*step.side), comparison_(comparison) {}

  gfx::MatrixPanel build(size_t operand, const SceneValues& values) const {
    const compile::ResolvedOperand& resolved = side_.result->plan.operands[operand];
    gfx::MatrixPanel panel;
    panel.name = resolved.spec.name;
    panel.role = roleOf(side_, resolved);
    panel.rows = static_cast<uint32_t>(resolved.rows);
    panel.columns = static_cast<uint32_t>(resolved.columns);
    panel.picture = values.picture;
    panel.detail = values.detail;
    panel.source = values.source;
    if (!isInput(side_, operand)) panel.absent = absentText(values, operand);
    if (resolved.spec.direction == Direction::inout)
      panel.blank = "changed by an atomic operation, whose result the trace does not contain";
    const float most = resolved.spec.direction == Direction::in
                           ? largestInput(values, resolved.spec.type)
                           : largestOutput(side_);
    panel.low = -most;
    panel.high = most;
    panel.note =
        panel.role == gfx::PanelRole::product || panel.role == gfx::PanelRole::output
            ? blockNote(side_) +
                  (values.detail.picture && values.picture ? "; others at the end, means" : "")
            : std::string();
    addGrid(panel, operand);
    addHighlights(panel, operand);
    return panel;
  }

 private:
  /// The reason why an output shows only the chosen block; empty if it shows all blocks.
  std::string absentText(const SceneValues& values, size_t operand) const {
    if (side_.result->blockAlone) return "not computed here: only " + blockNote(side_) + " is run";
    const bool partial = values.detail.picture && !(values.picture && !isCoarse(values, operand));
    if (!partial) return std::string();
    return (values.picture ? "in another block, so only a mean is known; the scene follows "
                           : "not fetched: the scene follows ") +
           blockNote(side_);
  }

  /// Whether each value of the picture represents several elements.
  bool isCoarse(const SceneValues& values, size_t operand) const {
    return values.picture->columns < side_.result->plan.operands[operand].columns ||
           values.picture->rows < side_.result->plan.operands[operand].rows;
  }

  /// Adds lines that show how the launch and the phase loop divide the matrix.
  void addGrid(gfx::MatrixPanel& panel, size_t operand) const {
    const model::BlockOutputs outputs = model::outputsOfBlock(side_.result->plan);
    const trace::Cut& cut = side_.replay->cut();
    const auto depth = static_cast<uint32_t>(
        cut.phaseLength > 0
            ? cut.phaseLength
            : static_cast<uint64_t>(std::max<int64_t>(side_.result->plan.phaseLength, 0)));
    panel.gridRows = panel.role == gfx::PanelRole::top ? depth : outputs.rows;
    panel.gridColumns = panel.role == gfx::PanelRole::left ? depth : outputs.columns;
    if (panel.role != gfx::PanelRole::input) return;
    panel.gridRows = panel.gridColumns = 0;
    const Area* whole = areaOf(side_.blockAreas, operand);
    if (whole == nullptr || !whole->dense) return;
    const auto& launch = side_.result->plan.launches.front();
    const Dim3& block = side_.replay->recording().block;
    panel.gridRows =
        equalParts({whole->row, whole->rows, panel.rows}, block.y, launch.grid.y, launch.block.y);
    panel.gridColumns = equalParts({whole->column, whole->columns, panel.columns}, block.x,
                                   launch.grid.x, launch.block.x);
  }

  void addHighlights(gfx::MatrixPanel& panel, size_t operand) const {
    if (const Area* whole = areaOf(side_.blockAreas, operand); whole != nullptr && whole->dense)
      panel.highlights.push_back({rectOf(*whole), gfx::Mark::chosen});
    addUsed(panel, operand);
    std::vector<uint64_t> elements = loadedIn(step_, operand);
    const std::vector<model::TouchedElement> loads = model::countElements(elements);
    const auto stores = elementsOf(side_, operand, step_.activity.outputStores);
    elements.insert(elements.end(), stores.begin(), stores.end());
    const auto updates = elementsOf(side_, operand, atomicsOn(trace::Space::global, step_));
    elements.insert(elements.end(), updates.begin(), updates.end());
    const std::vector<model::TouchedElement> touched = model::countElements(std::move(elements));
    if (touched.empty() || panel.columns == 0) return;
    const Area now = model::areaOf(static_cast<int16_t>(operand), panel.columns, touched);
    if (now.dense) panel.highlights.push_back({rectOf(now), gfx::Mark::now});
    // "1×" is informative only beside a greater number.
    const bool again = loadsAgain(step_) || (comparison_ != nullptr && loadsAgain(*comparison_));
    const uint32_t least = again ? 1 : 2;
    auto load = loads.begin();
    for (const auto& [element, times] : touched) {
      const bool loaded = load != loads.end() && load->element == element;
      const uint32_t count = loaded ? (load++)->times : 0;
      if (!now.dense || count >= least)
        panel.cells.push_back({static_cast<uint32_t>(element / panel.columns),
                               static_cast<uint32_t>(element % panel.columns), gfx::Mark::now,
                               count >= least ? count : 0});
    }
  }

  /// Marks the loads of earlier phases, and the present tile while it is in use.
  void addUsed(gfx::MatrixPanel& panel, size_t operand) const {
    const size_t at =
        side_.replay->sameMoment(step_.grain, step_.index, trace::StepGranularity::phase);
    const bool loadsNow = !step_.activity.globalLoads.empty();
    const size_t end = std::min(at + (loadsNow ? 0 : 1), side_.phaseLoads.size());
    std::vector<gfx::CellRect> used;
    for (size_t phase = 0; phase < end; ++phase) {
      const Area* area = areaOf(side_.phaseLoads[phase], operand);
      if (area == nullptr || !area->dense) continue;
      const gfx::CellRect rect = rectOf(*area);
      // Merges neighbours if there are many phases.
      const bool joined = end > kManyPhases && !used.empty() && join(used.back(), rect);
      if (!joined) used.push_back(rect);
    }
    for (const gfx::CellRect& rect : used) panel.highlights.push_back({rect, gfx::Mark::used});
  }

  /// Extends `to` by `next` if `next` is directly to the right of it or below it.
  static bool join(gfx::CellRect& to, const gfx::CellRect& next) {
    const bool right =
        to.row == next.row && to.rows == next.rows && to.column + to.columns == next.column;
    const bool below =
        to.column == next.column && to.columns == next.columns && to.row + to.rows == next.row;
    if (right) to.columns += next.columns;
    if (below) to.rows += next.rows;
    return right || below;
  }

  const TracedStep& step_;
  const TracedKernel& side_;
  const TracedStep* comparison_;
};

}  // namespace

gfx::MatrixPanel matrixPanel(const TracedStep& step, const TracedStep* comparison, size_t operand,
                             const SceneValues& values) {
  return MatrixBuilder(step, comparison).build(operand, values);
}

bool isInput(const TracedKernel& side, size_t operand) {
  return side.result->plan.operands[operand].spec.direction != Direction::out;
}

std::string blockNote(const TracedKernel& side) {
  const Dim3& block = side.replay->recording().block;
  return "block (" + std::to_string(block.x) + ", " + std::to_string(block.y) + ")";
}

float largestOutput(const TracedKernel& side) {
  double most = 0;
  const ElementType type = model::outputType(side);
  for (const trace::OutputElement& element : side.end.outputs)
    if (element.known) most = std::max(most, std::fabs(valueOf(type, element.bits)));
  return most > 0 ? static_cast<float>(most) : 1.0F;
}

}  // namespace tilestep::features
