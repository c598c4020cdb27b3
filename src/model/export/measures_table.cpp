// SPDX-License-Identifier: Apache-2.0
// Twins of plots and tables of figures.
#include "model/export/table_parts.h"

namespace tilestep::model {
namespace {

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

}  // namespace

TableExport trafficTable(const Snapshot& now, bool wholeGrid) {
  const TrafficTable& table = wholeGrid ? now.gridTraffic : now.phaseTraffic;
  const std::string main = now.main ? calledIn(*now.main->side) : "this kernel";
  const std::string other = now.companion ? calledIn(*now.companion->side) : "the one beside it";
  TableExport twin{table.title, {"what", main, other, "unit"}, {}, false};
  for (const TrafficRow& row : table.rows)
    add(twin, {row.name, number(row.main), number(row.companion), unitText(row.unit)});
  return twin;
}

TableExport rooflineTable(const Snapshot& now) {
  const RooflineView& view = now.roofline;
  TableExport twin{"Roofs of " + view.device + ", " + view.origin + "; points of " + view.of + ".",
                   {"what", "level", "FLOP/byte", "FLOP/second", "bytes/second",
                    "allowed FLOP/second", "origin", "in words"},
                   {},
                   false};
  if (view.peakFlopPerSecond)
    add(twin, {"peak FP32", "", "", number(*view.peakFlopPerSecond), "", "", view.origin, ""});
  for (const Roof& roof : view.roofs)
    add(twin, {"roof", metrics::toText(roof.level), number(roof.ridge), "",
               number(roof.bytesPerSecond), "", view.origin, "FLOP/byte: of its ridge"});
  for (const RoofPoint& at : view.points) {
    const auto& result = at.companion ? now.figuresCompanion : now.figuresMain;
    add(twin,
        {result ? result->kernel : "", metrics::toText(at.point.level),
         number(at.point.intensity.value), number(at.flopPerSecond), "", number(at.attainable),
         at.bound ? "computed bound" : (at.flopPerSecond ? "measured" : "not measured"),
         at.words + (at.why.empty() ? "" : ". " + at.why)});
  }
  for (const ReferenceMark& mark : view.marks)
    add(twin, {mark.name, "", "", number(mark.flopPerSecond), "", "", mark.origin, ""});
  const auto addTraces = [&](const std::vector<RoofTrace>& traces, const char* what) {
    for (const RoofTrace& at : traces)
      add(twin, {at.name, metrics::toText(at.level), number(at.flopPerByte),
                 number(at.flopPerSecond), "", "", at.bound ? "computed bound" : "measured", what});
  };
  addTraces(view.pinned, "pinned");
  addTraces(view.trail, "an earlier choice");
  return twin;
}

TableExport historyTable(const Snapshot& now) {
  TableExport twin{"Over the last changes.",
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

TableExport storyTable(const Snapshot& now) {
  TableExport twin;
  if (!now.story) return twin;
  const LoadHistory& story = *now.story;
  twin.title =
      "What this block has loaded from global memory so far, as the phases pass; the last line "
      "with "
      "what lies in no phase. " +
      whole(now.phasesOver) + " of " + whole(story.phases()) + " phases are over.";
  twin.columns = {"kernel", "phases of " + story.main.name + " over", "element loads", "L1 sectors",
                  "elements that the block makes"};
  for (const StoryLine* line : {&story.companion, &story.main})
    for (size_t i = 0; i < line->points.size(); ++i) {
      const bool last = i + 1 == line->points.size();
      add(twin,
          {line->name,
           number(last ? static_cast<double>(story.phases())
                       : static_cast<double>(i) * line->every),
           whole(line->points[i].asked), whole(line->points[i].sectors), whole(line->elements)});
    }
  return twin;
}

TableExport gainsTable(const Snapshot& now) {
  TableExport twin;
  const Gains& gains = now.gains;
  if (!now.gainsKnown) return twin;
  twin.title =
      "What tiling changes, " + gains.of + ": " + gains.against + " ÷ " + gains.subject + ".";
  twin.columns = {"what", "times less", "origin"};
  add(twin, {"bytes that lanes ask to load", number(gains.lanes), "counted"});
  add(twin, {"L1 sectors of loads", number(gains.sectors), "counted"});
  add(twin,
      {"L2 reads, caches cold", number(gains.l2), gains.l2 ? "hardware counters" : "unknown"});
  std::string timed = gains.time ? "measured" : "unknown";
  if (!gains.timeNote.empty()) timed += ". " + gains.timeNote;
  add(twin, {"time, caches warm", number(gains.time), std::move(timed)});
  return twin;
}

}  // namespace tilestep::model
