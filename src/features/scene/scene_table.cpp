// SPDX-License-Identifier: Apache-2.0
// Twins of the scene and of one step of it.
#include "model/export/table_parts.h"

namespace tilestep::model {
namespace {

/// "0..3 x 4..7": rows and columns, from 0, both ends included.
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

void addOperands(TableExport& twin, const TracedStep& step) {
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
    add(twin,
        {calledIn(side), operands[i].spec.name, whole(operands[i].rows), whole(operands[i].columns),
         areaText(side.blockAreas, i), areaText(now, i), whole(touches)});
  }
}

void addSlots(TableExport& twin, const TracedStep& step) {
  const TracedKernel& side = *step.side;
  const auto& arrays = side.replay->recording().sharedArrays;
  for (const trace::SharedSlot& slot : step.state.shared) {
    const auto array = static_cast<size_t>(slot.place.buffer);
    const ElementType type = slot.width == 8 ? ElementType::f64 : ElementType::f32;
    add(twin, {calledIn(side), array < arrays.size() ? arrays[array].name : "shared",
               slotName(side, slot.place.buffer, slot.place.offset, slot.width),
               slot.written && slot.known ? number(valueOf(type, slot.bits)) : "",
               slot.origin ? elementName(side, slot.origin->buffer, slot.origin->offset) : "",
               slot.written ? whole(slot.writer) : "", slot.written ? whole(slot.epoch) : "", ""});
  }
}

void addSums(TableExport& twin, const TracedStep& step) {
  const TracedKernel& side = *step.side;
  const Dim3& shape = side.replay->recording().blockShape;
  for (const trace::Accumulator& sum : step.state.accumulators) {
    const Dim3 at = trace::threadOf(sum.thread, shape);
    add(twin, {calledIn(side), "sum", "thread (" + whole(at.x) + ", " + whole(at.y) + ")",
               sum.updates > 0 ? number(valueOf(outputType(side), sum.bits)) : "", "",
               whole(sum.thread), "", whole(sum.updates)});
  }
}

void addLanes(TableExport& twin, const WarpView& view) {
  std::vector<std::string> places(view.lanes.size()), waits(view.lanes.size());
  if (view.space == trace::Space::shared) {
    for (size_t bank = 0; bank < metrics::kBanks; ++bank)
      for (size_t word = 0; word < view.shared.banks[bank].size(); ++word)
        for (const uint32_t lane : view.shared.banks[bank][word].lanes) {
          places[lane] = whole(bank);
          waits[lane] = whole(word + 1);
        }
  } else {
    for (size_t i = 0; i < view.global.sectors.size(); ++i)
      for (const uint32_t lane : view.global.sectors[i].lanes) {
        places[lane] = whole(i);
        waits[lane] = whole(view.global.sectors[i].usedBytes);
      }
  }
  for (size_t i = 0; i < view.lanes.size(); ++i)
    add(twin, {whole(view.lanes[i].lane), view.lanes[i].name, places[i], waits[i]});
}

}  // namespace

TableExport sceneTable(const Snapshot& now) {
  TableExport twin{now.sentence, {}, {}, false};
  if (!now.main) return twin;
  const Dim3& block = now.main->side->replay->recording().block;
  twin.title += " Block (" + whole(block.x) + ", " + whole(block.y) + "), " + now.position.text +
                "; steps recorded by: " + now.position.recorder + ".";
  twin.columns = {"kernel",       "matrix",          "rows", "columns", "block touches",
                  "step touches", "accesses in step"};
  for (const auto& step : {now.companion, now.main})
    if (step) addOperands(twin, *step);
  return twin;
}

TableExport tilesTable(const Snapshot& now) {
  TableExport twin{"Shared memory and sums after: " + now.position.text + ".", {}, {}, false};
  twin.columns = {"kernel",   "array", "slot", "value", "from", "written by thread",
                  "in epoch", "terms"};
  for (const auto& step : {now.companion, now.main}) {
    if (!step) continue;
    addSlots(twin, *step);
    addSums(twin, *step);
  }
  return twin;
}

TableExport threadsTable(const Snapshot& now, bool companion) {
  TableExport twin{
      "Who does what: " + now.position.text + ".", {"thread (tx, ty)", "warp", "does"}, {}, false};
  const auto& lines = companion && now.companion ? now.companionLines : now.mainLines;
  if (!lines) return twin;
  for (const ThreadLine& line : *lines) add(twin, {line.name, whole(line.warp), line.text});
  return twin;
}

TableExport warpTable(const Snapshot& now, bool companion) {
  const auto& view = companion && now.companion ? now.companionWarp : now.mainWarp;
  TableExport twin;
  if (!view) return twin;
  const bool shared = view->space == trace::Space::shared;
  twin.title = "Warp " + whole(view->warp) + ", " + view->groups[view->group] +
               (view->line > 0 ? ", line " + whole(view->line) : "") + ". " + view->verdict;
  if (shared)
    twin.columns = {"lane", "element", "bank", "word of the bank, from 1"};
  else
    twin.columns = {"lane", "element", "sector of the request, from 0", "bytes used of its 32"};
  addLanes(twin, *view);
  return twin;
}

TableExport stepsTable(const Snapshot& now) {
  TableExport twin;
  if (!now.main) return twin;
  const TracedKernel& side = *now.main->side;
  const trace::StepGranularity grain = now.position.grain;
  twin.title = calledIn(side) + ", steps recorded by: " + now.position.recorder + ".";
  twin.columns = {"step", "phase", "first epoch", "last epoch", "kind", "source lines", "now"};
  for (size_t i = 0; i < side.replay->size(grain); ++i) {
    if (twin.rows.size() >= kMostRows) {
      twin.cut = true;
      break;
    }
    const trace::Step step = side.replay->step(grain, i);
    std::string lines;
    for (const uint32_t line : step.lines) lines += (lines.empty() ? "" : " ") + whole(line);
    add(twin, {whole(i + 1), step.phase ? whole(*step.phase) : "", whole(step.epoch),
               whole(step.lastEpoch), std::string(trace::toText(step.kind)), lines,
               now.main->grain == grain && now.main->index == i ? "yes" : ""});
  }
  return twin;
}

}  // namespace tilestep::model
