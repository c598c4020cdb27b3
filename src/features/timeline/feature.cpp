// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include "model/export/table_parts.h"
#include "model/snapshot.h"

namespace tilestep::features::timeline {
namespace {

using namespace model;

/// Of all epochs that were kept of a block: "3", or nothing where they were not.
std::string keptEpochs(const TimelineView& view, uint32_t block) {
  return view.rowOf(block) ? whole(view.timeline.epochs) : std::string();
}

Table timelineTable(const Snapshot& now, const TableOptions& /*options*/) {
  Table out;
  if (!now.timeline.view) return out;
  const TimelineView& view = *now.timeline.view;
  const trace::Timeline& t = view.timeline;
  out.title = "Blocks on multiprocessors over time: " + view.title + "; " + view.origin +
              (now.timeline.stale ? "; of an earlier choice." : ".");
  for (const TimelineFact& fact : view.facts) out.title += " " + fact.name + " " + fact.value + ",";
  out.title.back() = '.';
  out.title += " " + view.price;
  out.columns = {"block",
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
    add(out, {whole(b), whole(at.x), whole(at.y), whole(at.z), whole(t.sm[b]),
              whole(view.lanes.lane[b]), whole(view.lanes.wave[b] + 1), whole(t.startNs[b]),
              whole(t.endNs[b]), whole(t.endNs[b] - t.startNs[b]), whole(t.busyWarpCycles[b]),
              whole(t.waitWarpCycles[b]), keptEpochs(view, b)});
  }
  return out;
}

class Timeline : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return "timeline"; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"timeline", "blocks over time", timelineTable}};
  }
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Timeline>();
}

}  // namespace tilestep::features::timeline
