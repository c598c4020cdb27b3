// SPDX-License-Identifier: Apache-2.0
#include "model/feature.h"

#include "features/live/live.h"
#include "model/export/table_parts.h"
#include "model/snapshot.h"

namespace tilestep::features::live {
namespace {

using namespace model;

std::string rateOf(const std::optional<double>& amount, double ms) {
  return amount ? number(*amount / ms * 1e3) : std::string();
}

std::vector<std::string> rowOf(const LiveRun& run, double seconds, double ms) {
  return {number(seconds),
          number(ms),
          rateOf(run.operations, ms),
          rateOf(run.askedBytes, ms),
          rateOf(run.sectorBytes, ms),
          rateOf(run.dramBytes, ms),
          run.split ? number(run.split->load) : "",
          run.split && run.split->phases ? number(run.split->compute) : "",
          run.split ? number(run.split->wait) : "",
          run.label,
          run.recorded ? "recorded median" : "launch"};
}

std::string titleOf(const LiveView& view) {
  std::string title = "Live: one launch a row, timed by the GPU";
  if (!view.runs.empty()) title += " (" + view.runs.back().device + ")";
  title +=
      "; rates are what one launch does (operations by formula, bytes counted once for each "
      "choice) "
      "over its own time; shares of a warp's cycles are read once for each choice.";
  if (view.forgotten > 0)
    title += " " + std::to_string(view.forgotten) + " older launches are not kept.";
  if (view.dropped > 0) title += " " + std::to_string(view.dropped) + " were lost on the way.";
  return title;
}

Table liveTable(const Snapshot& now, const TableOptions& /*options*/) {
  const LiveView& view = *now.live;
  Table out{titleOf(view),
            {"seconds", "launch milliseconds", "FLOP/second", "asked bytes/second",
             "L1 sector bytes/second", "DRAM bytes/second", "share loading or busy",
             "share computing", "share waiting", "choice", "what"},
            {},
            false};
  for (const LiveRun& run : view.runs)
    if (run.recorded) add(out, rowOf(run, run.seconds, run.recorded->medianMs));
  for (const auto& chunk : view.chunks)
    for (const LivePoint& point : *chunk)
      if (const LiveRun* run = view.runOf(point)) add(out, rowOf(*run, point.seconds, point.ms));
  return out;
}

class Live : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return "live"; }
  [[nodiscard]] std::vector<TableKind> tables() const override {
    return {{"live", "live", liveTable}};
  }
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Live>();
}

}  // namespace tilestep::features::live
