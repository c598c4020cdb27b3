// SPDX-License-Identifier: Apache-2.0
#include "model/export/table_parts.h"

namespace tilestep::model {
namespace {

/// Bounds of one level; empty where there is none.
std::string boundOf(const lab::WhatIf& there, bool minimum) {
  for (const lab::Bound& bound : there.bounds)
    if (bound.minimum == minimum) return number(bound.flopPerSecond);
  return {};
}

std::string limitersOf(const lab::WhatIf& there) {
  if (!there.occupancy) return "limits unknown";
  if (!there.refusal().empty()) return "cannot run: " + there.refusal();
  std::string text;
  for (const std::string& name : there.occupancy->limiters)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

TableExport occupancyTable(const Snapshot& now) {
  TableExport twin;
  if (!now.occupancy) return twin;
  const OccupancyView& view = *now.occupancy;
  twin.title = "Occupancy of blocks of " + view.block + " on " + view.device + ", computed" +
               (view.fromDataSheet ? " from published figures" : "") + ": " + number(view.ratio) +
               ". " + view.registersText + " " + view.why + ".";
  twin.columns = {"what",          "of",    "blocks alone", "textbook's blocks", "taken a block",
                  "asked a block", "share", "remark"};
  for (const OccupancyBar& bar : view.bars) {
    const bool known = bar.known;
    twin.rows.push_back({"limit", bar.name, known ? whole(bar.blocks) : "",
                         known ? whole(bar.textbookBlocks) : "", known ? whole(bar.taken) : "",
                         known ? whole(bar.asked) : "", "",
                         !known       ? "unknown"
                         : bar.limits ? "limits"
                                      : bar.why});
  }
  twin.rows.push_back({"occupancy", "resident warps", whole(view.blocks), "", "", "",
                       number(view.ratio), view.refusal});
  if (view.achieved)
    twin.rows.push_back({"achieved", "resident warps", "", "", "", "",
                         number(view.achieved->achievedOccupancy), "measured"});
  for (const OccupancyCurve& curve : *view.curves)
    for (const OccupancyPoint& point : curve.points)
      twin.rows.push_back({curve.steps ? "from" : "at", curve.axis + " " + number(point.x), "", "",
                           "", "", number(point.ratio), ""});
  return twin;
}

TableExport elsewhereTable(const Snapshot& now) {
  TableExport twin;
  if (!now.figuresMain || now.known->empty()) return twin;
  const lab::RunResult& result = *now.figuresMain;
  twin.title = "What if " + result.kernel +
               " ran on other devices: computed from published figures, not measured.";
  twin.columns = {"device",
                  "compute capability",
                  "FP32 FLOP/second",
                  "DRAM bytes/second",
                  "ridge FLOP/byte",
                  "most FLOP/second if DRAM gave all that lanes ask for",
                  "most FLOP/second with the least traffic",
                  "occupancy",
                  "limited by",
                  "registers"};
  for (const lab::DeviceFile& file : *now.known) {
    const lab::WhatIf there = lab::whatIf(file, result, now.choice.assumedRegisters);
    twin.rows.push_back({there.name, there.computeCapability, number(there.peakFlopPerSecond),
                         number(there.dramBytesPerSecond), number(there.ridgeFlopPerByte),
                         boundOf(there, false), boundOf(there, true),
                         there.occupancy ? number(there.occupancy->ratio()) : "", limitersOf(there),
                         there.registers.count > 0 ? whole(there.registers.count) + " (" +
                                                         lab::toText(there.registers.from) + ")"
                                                   : "unknown"});
  }
  return twin;
}

}  // namespace tilestep::model
