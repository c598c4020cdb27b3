// SPDX-License-Identifier: Apache-2.0
#include "model/export/table_parts.h"

namespace tilestep::model {
namespace {

/// Of all epochs that were kept of a block: "3", or nothing where they were not.
std::string keptEpochs(const TimelineView& view, uint32_t block) {
  return view.rowOf(block) ? whole(view.timeline.epochs) : std::string();
}

}  // namespace

TableExport timelineTable(const Snapshot& now) {
  TableExport twin;
  if (!now.timeline.view) return twin;
  const TimelineView& view = *now.timeline.view;
  const trace::Timeline& t = view.timeline;
  twin.title = "Blocks on multiprocessors over time: " + view.title + "; " + view.origin +
               (now.timeline.stale ? "; of an earlier choice." : ".");
  for (const TimelineFact& fact : view.facts)
    twin.title += " " + fact.name + " " + fact.value + ",";
  twin.title.back() = '.';
  twin.title += " " + view.price;
  twin.columns = {"block",
                  "x",
                  "y",
                  "z",
                  "multiprocessor",
                  "lane",
                  "wave",
                  "start ns",
                  "end ns",
                  "duration ns",
                  "working warp-cycles",
                  "waiting warp-cycles",
                  "epochs kept"};
  for (uint32_t b = 0; b < t.blocks(); ++b) {
    const Dim3 at = view.blockAt(b);
    add(twin, {whole(b), whole(at.x), whole(at.y), whole(at.z), whole(t.sm[b]),
               whole(view.lanes.lane[b]), whole(view.lanes.wave[b] + 1), whole(t.startNs[b]),
               whole(t.endNs[b]), whole(t.endNs[b] - t.startNs[b]), whole(t.busyWarpCycles[b]),
               whole(t.waitWarpCycles[b]), keptEpochs(view, b)});
  }
  return twin;
}

}  // namespace tilestep::model
