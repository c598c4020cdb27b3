// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include "features/traffic/view.h"
#include "model/export/table_parts.h"
#include "model/roofline_marks.h"
#include "model/snapshot.h"
#include "model/text/step_summary.h"
#include "model/text/stopped_launch.h"

namespace tilestep::features::traffic {
namespace {

using namespace model;

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

/// Whose value the hardware may count otherwise.
std::string uncertainText(const TrafficRow& row) {
  if (row.mainIsUncertain && row.companionIsUncertain) return "both";
  if (row.mainIsUncertain) return "this kernel's";
  return row.companionIsUncertain ? "the compared kernel's" : "";
}

Table trafficTable(const Snapshot& now, const TableOptions& options) {
  const TrafficTable& table =
      options.wholeGrid ? now.view<TrafficView>().grid : now.view<TrafficView>().phase;
  const std::string main = now.main ? calledIn(*now.main->side) : "this kernel";
  const std::string other = now.companion ? calledIn(*now.companion->side) : "the compared kernel";
  Table out{table.title, {"what", main, other, "unit", "uncertain"}, {}, false};
  for (const TrafficRow& row : table.rows)
    add(out, {row.name, number(row.main), number(row.companion), unitText(row.unit),
              uncertainText(row)});
  return out;
}

std::string originText(const lab::RunResult& result) {
  const bool interpreted = result.device.id == "simt" || result.countersFrom == "simt";
  return "counted by " + (interpreted ? std::string("the interpreter, on the same PTX")
                                      : "the device itself: " + deviceText(result.device));
}

/// Why the counts of this step have no comparison.
std::string comparisonTitle(const TracedStep& main, const TracedStep& companion) {
  if (elementsMade(*main.side) != elementsMade(*companion.side))
    return "; the compared kernel computes a different number of elements";
  const bool k = phaseLengthOf(*main.side) > 0 && phaseLengthOf(*companion.side) > 0;
  return k ? "; the compared kernel steps differently along k"
           : "; the compared kernel has other epochs, so only whole grids can be compared";
}

CountedLoads loadsOf(const std::shared_ptr<const lab::RunResult>& result) {
  if (!result || !result->counters) return {};
  return {&result->counters->total, loadedElementBytes(result->plan), &result->uncertain,
          result->hardware ? &*result->hardware : nullptr};
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
  const trace::Tally* other = shared.comparable ? &shared.companion->tally : nullptr;
  const trace::Counters mine = withCopies(main.tally);
  const trace::Counters theirs = other != nullptr ? withCopies(*other) : trace::Counters{};
  TrafficTable table = trafficOf(
      std::move(title),
      other != nullptr
          ? CountedLoads{&theirs, loadedElementBytes(shared.companionKernel->result->plan),
                         &shared.companionKernel->result->uncertain}
          : CountedLoads{},
      {&mine, loadedElementBytes(kernel.result->plan), &kernel.result->uncertain}, origin);
  addReuse(table, other, &main.tally, origin);
  return table;
}

TrafficTable gridTraffic(const Snapshot& shared) {
  const std::shared_ptr<const lab::RunResult>&main = shared.figuresMain,
                              &companion = shared.figuresCompanion;
  // Counts of one block are not counts of the launch.
  const bool whole = !shared.figuresOfBlock;
  std::string title = (whole ? std::string("whole grid, ") : aloneText(*shared.mainKernel) + "; ") +
                      sizesText(main->plan.sizes);
  if (companion) title += "; " + launchText(*companion);
  TrafficTable table =
      trafficOf(std::move(title), loadsOf(companion), loadsOf(main), originText(*main));
  const auto copies = [](const std::shared_ptr<const lab::RunResult>& result) {
    return result && !loadsAreCounted(*result);
  };
  leaveOutLoads(table, copies(companion), copies(main));
  if (whole) addOperations(table, companion.get(), main.get(), originText(*main));
  for (TrafficRow& row : table.rows) row.comparable = shared.ratios.comparable;
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
    for (const auto* result : {&moment.shared.figuresMain, &moment.shared.figuresCompanion})
      if (const std::string why = whyNotCounted(result->get()); !why.empty())
        view->gridNote += (view->gridNote.empty() ? "" : " ") + why;
    const bool lacksRatios = moment.shared.figuresCompanion && !moment.shared.ratios.comparable;
    if (lacksRatios)
      view->gridNote += (view->gridNote.empty() ? "" : " ") + moment.shared.ratios.missing;
    return view;
  }
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Traffic>();
}

}  // namespace tilestep::features::traffic
