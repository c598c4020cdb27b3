// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include "features/names.h"
#include "model/export/table_parts.h"
#include "model/snapshot.h"

namespace tilestep::features::scene {
namespace {

/// "rows 0..3, columns 4..7", counted from 0; ends are included.
std::string areaText(const std::vector<Area>& areas, size_t operand) {
  for (const Area& area : areas) {
    if (static_cast<size_t>(area.operand) != operand || area.rows == 0) continue;
    return "rows " + whole(area.row) + ".." + whole(area.row + area.rows - 1) + ", columns " +
           whole(area.column) + ".." + whole(area.column + area.columns - 1) +
           (area.dense ? "" : " (not all of them)");
  }
  return "none";
}

std::vector<Area> areasNow(const TracedStep& step) {
  std::vector<trace::Access> accesses = step.activity.outputStores;
  for (const trace::GlobalLoad& load : step.activity.globalLoads) accesses.push_back(load.from);
  return areasOf(step.side->result->plan, accesses);
}

void addOperands(Table& out, const TracedStep& step) {
  const TracedKernel& side = *step.side;
  const std::vector<Area> now = areasNow(step);
  const auto& operands = side.result->plan.operands;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].spec.kind != OperandKind::buffer || operands[i].rows == 0) continue;
    size_t touches = 0;
    const auto isHere = [&](const trace::Access& access) {
      return static_cast<size_t>(access.buffer) == i;
    };
    for (const trace::GlobalLoad& load : step.activity.globalLoads) touches += isHere(load.from);
    for (const trace::Access& store : step.activity.outputStores) touches += isHere(store);
    add(out,
        {calledIn(side), operands[i].spec.name, whole(operands[i].rows), whole(operands[i].columns),
         areaText(side.blockAreas, i), areaText(now, i), whole(touches)});
  }
}

void addSlots(Table& out, const TracedStep& step) {
  const TracedKernel& side = *step.side;
  const auto& arrays = side.replay->recording().sharedArrays;
  for (const trace::SharedSlot& slot : step.state.shared) {
    const auto array = static_cast<size_t>(slot.place.buffer);
    const ElementType type = slot.width == 8 ? ElementType::f64 : ElementType::f32;
    add(out, {calledIn(side), array < arrays.size() ? arrays[array].name : "shared",
              slotName(side, slot.place.buffer, slot.place.offset, slot.width),
              slot.written && slot.known ? number(valueOf(type, slot.bits)) : "",
              slot.origin ? elementName(side, slot.origin->buffer, slot.origin->offset) : "",
              slot.written ? whole(slot.writer) : "", slot.written ? whole(slot.epoch) : "", ""});
  }
}

void addSums(Table& out, const TracedStep& step) {
  const TracedKernel& side = *step.side;
  const Dim3& shape = side.replay->recording().blockShape;
  for (const trace::Accumulator& sum : step.state.accumulators) {
    const Dim3 at = trace::threadOf(sum.thread, shape);
    add(out, {calledIn(side), "sum", "thread (" + whole(at.x) + ", " + whole(at.y) + ")",
              sum.updates > 0 ? number(valueOf(outputType(side), sum.bits)) : "", "",
              whole(sum.thread), "", whole(sum.updates)});
  }
}

Table sceneTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out{now.sentence, {}, {}, false};
  if (!now.main) return out;
  const Dim3& block = now.main->side->replay->recording().block;
  out.title += " Block (" + whole(block.x) + ", " + whole(block.y) + "), " + now.position.text +
               "; steps recorded by: " + now.position.recorder + ".";
  out.columns = {"kernel",       "matrix",          "rows", "columns", "block touches",
                 "step touches", "accesses in step"};
  for (const auto& step : {now.companion, now.main})
    if (step) addOperands(out, *step);
  return out;
}

Table tilesTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out{"Shared memory and sums after: " + now.position.text + ".", {}, {}, false};
  out.columns = {"kernel",   "array", "slot", "value", "from", "written by thread",
                 "in epoch", "terms"};
  for (const auto& step : {now.companion, now.main}) {
    if (!step) continue;
    addSlots(out, *step);
    addSums(out, *step);
  }
  return out;
}

Table stepsTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out;
  if (!now.main) return out;
  const TracedKernel& side = *now.main->side;
  const trace::StepGranularity grain = now.position.grain;
  out.title = calledIn(side) + ", steps recorded by: " + now.position.recorder + ".";
  out.columns = {"step", "phase", "first epoch", "last epoch", "kind", "source lines", "now"};
  for (size_t i = 0; i < side.replay->size(grain); ++i) {
    if (out.rows.size() >= kMostRows) {
      out.cut = true;
      break;
    }
    const trace::Step step = side.replay->step(grain, i);
    std::string lines;
    for (const uint32_t line : step.lines) lines += (lines.empty() ? "" : " ") + whole(line);
    add(out, {whole(i + 1), step.phase ? whole(*step.phase) : "", whole(step.epoch),
              whole(step.lastEpoch), std::string(trace::toText(step.kind)), lines,
              now.main->grain == grain && now.main->index == i ? "yes" : ""});
  }
  return out;
}

class SceneTables : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return "scene"; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"scene", "scene", sceneTable},
            {"tiles", "shared tiles and sums", tilesTable},
            {"steps", "steps", stepsTable}};
  }
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<SceneTables>();
}

}  // namespace tilestep::features::scene
