// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include "features/traffic/view.h"
#include "model/export/table_parts.h"
#include "model/snapshot.h"
#include "model/text/step_summary.h"
#include "model/text/stopped_launch.h"

namespace tilestep::features::traffic {
namespace {

/// The hardware may count its value differently.
std::string uncertainText(const Ratio& row) {
  if (row.ownIsUncertain && row.baseIsUncertain) return "both";
  if (row.ownIsUncertain) return "this kernel's";
  return row.baseIsUncertain ? "the compared kernel's" : "";
}

Table trafficTable(const Snapshot& now, const TableOptions& options) {
  const TrafficTable& table = now.view<TrafficView>().of(options.wholeGrid);
  const std::string main = now.main ? calledIn(*now.main->side) : "this kernel";
  const std::string other = now.companion ? calledIn(*now.companion->side) : "the compared kernel";
  Table out{table.title, {"what", main, other, "unit", "uncertain"}, {}, false};
  for (const Ratio& row : table.rows) {
    const char* unit = row.unit == Unit::bytes ? "bytes" : row.unit == Unit::ratio ? "share" : "";
    add(out, {row.name, number(row.own), number(row.base), unit, uncertainText(row)});
  }
  return out;
}

std::string originText(const lab::RunResult& result) {
  const bool interpreted = result.device.id == "simt" || result.countersFrom == "simt";
  return "counted by " + (interpreted ? std::string("the interpreter, on the same PTX")
                                      : "the device itself: " + deviceText(result.device));
}

/// The reason why the counts of this step have no comparison.
std::string comparisonTitle(const TracedStep& main, const TracedStep& companion) {
  if (elementsMade(*main.side) != elementsMade(*companion.side))
    return "; the compared kernel computes a different number of elements";
  const bool k = phaseLengthOf(*main.side) > 0 && phaseLengthOf(*companion.side) > 0;
  return k ? "; the compared kernel steps differently along k"
           : "; the compared kernel has other epochs, so only whole grids can be compared";
}

TrafficTable phaseTraffic(const Snapshot& shared) {
  const TracedStep& main = *shared.main;
  const TracedKernel& kernel = *shared.mainKernel;
  std::string title =
      main.step.phase ? "phase " + std::to_string(*main.step.phase) : std::string("this step");
  title += ", " + blockText(kernel.replay->recording().block);
  if (shared.companion && !shared.comparable) title += comparisonTitle(main, *shared.companion);
  std::string origin = "counted from the trace of this block (" + shared.position.recorder + ")";
  if (kernel.whole.copies.requests > 0)
    origin +=
        "; asynchronous copies are among the loads, and what they write to shared memory is among "
        "the wavefronts of the whole grid alone";
  CountedSide other;
  if (shared.comparable) other = sideOf(shared.companion->tally, *shared.companionKernel->result);
  return trafficOf(std::move(title), std::move(other), sideOf(main.tally, *kernel.result), origin);
}

TrafficTable gridTraffic(const Snapshot& shared) {
  const lab::RunResult &main = *shared.figuresMain, *companion = shared.figuresCompanion.get();
  // Counts of one block are not counts of the launch.
  const bool whole = !shared.figuresOfBlock;
  std::string title = (whole ? std::string("whole grid, ") : aloneText(*shared.mainKernel) + "; ") +
                      sizesText(main.plan.sizes);
  CountedSide other;
  if (companion != nullptr) {
    title += "; " + launchText(*companion);
    other = sideOf(*companion, whole);
  }
  TrafficTable table =
      trafficOf(std::move(title), std::move(other), sideOf(main, whole), originText(main));
  for (Ratio& row : table.rows) row.comparable = shared.ratios.comparable;
  return table;
}

class Traffic : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return TrafficView::kFeature; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"traffic", "traffic", trafficTable}};
  }

  [[nodiscard]] ViewPointer view(const Moment& moment) override {
    auto view = std::make_shared<TrafficView>();
    if (moment.shared.main) view->phase = phaseTraffic(moment.shared);
    if (moment.shared.figuresMain) view->grid = gridTraffic(moment.shared);
    const bool lacksRatios = moment.shared.figuresCompanion && !moment.shared.ratios.comparable;
    for (const std::string& remark : {whyNotCounted(moment.shared.figuresMain.get()),
                                      whyNotCounted(moment.shared.figuresCompanion.get()),
                                      lacksRatios ? moment.shared.ratios.missing : std::string()})
      if (!remark.empty()) view->gridNote += (view->gridNote.empty() ? "" : " ") + remark;
    return view;
  }
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Traffic>();
}

}  // namespace tilestep::features::traffic
