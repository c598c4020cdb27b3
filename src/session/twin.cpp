// SPDX-License-Identifier: Apache-2.0
#include "session/twin.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "lab/sweep_file.h"
#include "session/twin_threads.h"

namespace tilestep::session {
namespace {

using Row = std::vector<std::string>;

std::string number(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.9g", value);
  return text.data();
}

std::string number(const std::optional<double>& value) {
  return value ? number(*value) : std::string();
}

template <class Integer>
std::string whole(Integer value) {
  return std::to_string(value);
}

void add(Twin& twin, Row row) {
  if (twin.rows.size() >= kMostRows)
    twin.cut = true;
  else
    twin.rows.push_back(std::move(row));
}

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

std::vector<Area> areasNow(const SideStep& step) {
  std::vector<trace::Access> accesses = step.activity.outputStores;
  for (const trace::GlobalLoad& load : step.activity.globalLoads) accesses.push_back(load.from);
  return areasOf(step.side->result->plan, accesses);
}

void addOperands(Twin& twin, const SideStep& step) {
  const Side& side = *step.side;
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
        {side.kernel, operands[i].spec.name, whole(operands[i].rows), whole(operands[i].columns),
         areaText(side.blockAreas, i), areaText(now, i), whole(touches)});
  }
}

Twin sceneTwin(const Snapshot& now) {
  Twin twin{now.sentence, {}, {}, false};
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

void addSlots(Twin& twin, const SideStep& step) {
  const Side& side = *step.side;
  const auto& arrays = side.replay->recording().sharedArrays;
  for (const trace::SharedSlot& slot : step.state.shared) {
    const auto array = static_cast<size_t>(slot.place.buffer);
    const ElementType type = slot.width == 8 ? ElementType::f64 : ElementType::f32;
    add(twin, {side.kernel, array < arrays.size() ? arrays[array].name : "shared",
               slotName(side, slot.place.buffer, slot.place.offset, slot.width),
               slot.written && slot.known ? number(valueOf(type, slot.bits)) : "",
               slot.origin ? elementName(side, slot.origin->buffer, slot.origin->offset) : "",
               slot.written ? whole(slot.writer) : "", slot.written ? whole(slot.epoch) : "", ""});
  }
}

void addSums(Twin& twin, const SideStep& step) {
  const Side& side = *step.side;
  const Dim3& shape = side.replay->recording().blockShape;
  for (const trace::Accumulator& sum : step.state.accumulators) {
    const Dim3 at = trace::threadOf(sum.thread, shape);
    add(twin, {side.kernel, "sum", "thread (" + whole(at.x) + ", " + whole(at.y) + ")",
               sum.updates > 0 ? number(valueOf(outputType(side), sum.bits)) : "", "",
               whole(sum.thread), "", whole(sum.updates)});
  }
}

Twin tilesTwin(const Snapshot& now) {
  Twin twin{"Shared memory and sums after: " + now.position.text + ".", {}, {}, false};
  twin.columns = {"kernel",   "array", "slot", "value", "from", "written by thread",
                  "in epoch", "terms"};
  for (const auto& step : {now.companion, now.main}) {
    if (!step) continue;
    addSlots(twin, *step);
    addSums(twin, *step);
  }
  return twin;
}

Twin threadsTwin(const Snapshot& now, bool companion) {
  Twin twin{
      "Who does what: " + now.position.text + ".", {"thread (tx, ty)", "warp", "does"}, {}, false};
  const auto& lines = companion && now.companion ? now.companionLines : now.mainLines;
  if (!lines) return twin;
  for (const ThreadLine& line : *lines) add(twin, {line.name, whole(line.warp), line.text});
  return twin;
}

void addLanes(Twin& twin, const WarpView& view) {
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

Twin warpTwin(const Snapshot& now, bool companion) {
  const auto& view = companion && now.companion ? now.companionWarp : now.mainWarp;
  Twin twin;
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

Twin stepsTwin(const Snapshot& now) {
  Twin twin;
  if (!now.main) return twin;
  const Side& side = *now.main->side;
  const trace::Grain grain = now.position.grain;
  twin.title = side.kernel + ", steps recorded by: " + now.position.recorder + ".";
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

const char* unitText(Unit unit) {
  switch (unit) {
    case Unit::bytes:
      return "bytes";
    case Unit::seconds:
      return "seconds";
    case Unit::bytesPerSecond:
      return "bytes/second";
    case Unit::flop:
      return "FLOP";
    case Unit::flopPerSecond:
      return "FLOP/second";
    case Unit::flopPerByte:
      return "FLOP/byte";
    case Unit::hertz:
      return "hertz";
    case Unit::ratio:
      return "share";
    default:
      return "";
  }
}

Twin trafficTwin(const Snapshot& now, bool wholeGrid) {
  const TrafficTable& table = wholeGrid ? now.gridTraffic : now.phaseTraffic;
  const std::string main = now.main ? now.main->side->kernel : "this kernel";
  const std::string other = now.companion ? now.companion->side->kernel : "the one beside it";
  Twin twin{table.title, {"what", main, other, "unit"}, {}, false};
  for (const TrafficRow& row : table.rows)
    add(twin, {row.name, number(row.main), number(row.companion), unitText(row.unit)});
  return twin;
}

const char* nameOf(metrics::Level level) {
  switch (level) {
    case metrics::Level::lanes:
      return "asked by lanes";
    case metrics::Level::l1:
      return "L1 sectors";
    case metrics::Level::l2:
      return "L2";
    case metrics::Level::dram:
      return "DRAM";
  }
  return "";
}

Twin rooflineTwin(const Snapshot& now) {
  const RooflineView& view = now.roofline;
  Twin twin{"Roofs of " + view.device + ", " + view.origin + "; points of " + view.of + ".",
            {"what", "level", "FLOP/byte", "FLOP/second", "bytes/second", "allowed FLOP/second",
             "origin"},
            {},
            false};
  if (view.peakFlopPerSecond)
    add(twin, {"peak FP32", "", "", number(*view.peakFlopPerSecond), "", "", view.origin});
  for (const Roof& roof : view.roofs)
    add(twin, {"roof", nameOf(roof.level), "", "", number(roof.bytesPerSecond), "", view.origin});
  for (const RoofPoint& at : view.points) {
    const auto& result = at.companion ? now.figuresCompanion : now.figuresMain;
    add(twin,
        {result ? result->kernel : "", nameOf(at.point.level), number(at.point.intensity.value),
         number(at.flopPerSecond), "", number(at.attainable),
         at.bound ? "computed bound" : (at.flopPerSecond ? "measured" : "not measured")});
  }
  return twin;
}

Twin historyTwin(const Snapshot& now) {
  Twin twin{"Over the last changes.",
            {"number", "what", "median ms", "p10 ms", "p90 ms", "GFLOP/s", "bytes asked",
             "sector bytes", "bytes are per", "device", "method"},
            {},
            false};
  for (const HistoryPoint& point : now.history)
    add(twin, {whole(point.number), point.label, number(point.medianMs), number(point.p10Ms),
               number(point.p90Ms), number(point.gflops), number(point.askedBytes),
               number(point.sectorBytes), point.perFlop ? "FLOP" : "element", point.device,
               point.method});
  return twin;
}

/// Code points; every sign here takes one column.
size_t widthOf(const std::string& text) {
  return static_cast<size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string lineOf(const Row& cells, const std::vector<size_t>& widths) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i)
    line += cells[i] + std::string(widths[i] - widthOf(cells[i]) + 2, ' ');
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

const char* nameOf(ViewKind view) {
  constexpr std::array<const char*, kViews> kNames{
      "scene",    "shared tiles and sums", "who does what",    "one warp",   "steps", "traffic",
      "roofline", "last changes",          "execution phases", "one thread", "source"};
  return kNames[static_cast<size_t>(view)];
}

const char* shortNameOf(ViewKind view) {
  constexpr std::array<const char*, kViews> kNames{"scene",  "tiles",   "threads",  "warp",
                                                   "steps",  "traffic", "roofline", "history",
                                                   "phases", "thread",  "source"};
  return kNames[static_cast<size_t>(view)];
}

Twin twinOf(ViewKind view, const Snapshot& now, bool wholeGrid, bool companion) {
  switch (view) {
    case ViewKind::scene:
      return sceneTwin(now);
    case ViewKind::tiles:
      return tilesTwin(now);
    case ViewKind::threads:
      return threadsTwin(now, companion);
    case ViewKind::warp:
      return warpTwin(now, companion);
    case ViewKind::steps:
      return stepsTwin(now);
    case ViewKind::traffic:
      return trafficTwin(now, wholeGrid);
    case ViewKind::roofline:
      return rooflineTwin(now);
    case ViewKind::history:
      return historyTwin(now);
    case ViewKind::phases:
      return phasesTwin(now, companion);
    case ViewKind::thread:
      return threadTwin(now, companion);
    case ViewKind::source:
      return sourceTwin(now);
  }
  return {};
}

std::string csvOf(const Twin& twin) {
  std::string text = lab::csvLine(twin.columns);
  for (const Row& row : twin.rows) text += lab::csvLine(row);
  return text;
}

std::string textOf(const Twin& twin) {
  std::vector<size_t> widths(twin.columns.size());
  const auto widen = [&](const Row& row) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], widthOf(row[i]));
  };
  widen(twin.columns);
  for (const Row& row : twin.rows) widen(row);
  std::string text = twin.title + "\n\n" + lineOf(twin.columns, widths);
  for (const Row& row : twin.rows) text += lineOf(row, widths);
  if (twin.cut) text += "… and more rows than the " + whole(kMostRows) + " shown.\n";
  return text;
}

}  // namespace tilestep::session
