// SPDX-License-Identifier: Apache-2.0
#include "features/sweeps/sweep_table.h"

#include <algorithm>

#include "features/sweeps/view.h"
#include "lab/figures.h"
#include "model/export/table_parts.h"

namespace tilestep::features {
namespace {

/// By SweepCell::State.
constexpr const char* kStateTexts[] = {"not run yet", "ok", "missing", "cannot run"};

/// The distinct names of sizes and tunables, in order of appearance.
std::vector<std::string> namesOf(const SweepPlan& plan) {
  std::vector<std::string> names;
  const auto put = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const SweepSeries& series : plan.series)
    for (const auto& [name, value] : lab::orderedSizes(series.spec->sizes)) put(name);
  for (const SweepSeries& series : plan.series)
    for (const compile::TunableSpec& tunable : series.spec->tunables) put(tunable.name);
  return names;
}

Table ladderTable(const LadderView& view) {
  Table out;
  if (view.rows.empty()) return out;
  out.title =
      view.title + (view.origin.empty() ? "" : ", " + view.origin) + ". " + view.predictedBy;
  out.columns = {"rung",
                 "name",
                 "kernel",
                 "tunables",
                 "tunables from",
                 "FLOP/s",
                 "low end of the spread",
                 "high end of the spread",
                 "share of cuBLAS (pedantic FP32, or TF32)",
                 "share of the FP32 ceiling",
                 "predicted FLOP/s",
                 "predicted FLOP/s, shared loads merged",
                 "reached of predicted",
                 "predicted limit",
                 "predicted gain, low",
                 "predicted gain, high",
                 "measured gain",
                 "limit of the rung below",
                 "changed",
                 "registers a thread",
                 "occupancy",
                 "in words"};
  for (const LadderRow& row : view.rows) {
    std::string changes;
    for (const LadderChange& change : row.changes)
      changes += (changes.empty() ? "" : "; ") + change.text +
                 (change.unit.empty() ? "" : " for " + change.unit);
    const SweepValue speed = row.speed.value_or(SweepValue{});
    const metrics::PredictedGain gain = row.predictedGain.value_or(metrics::PredictedGain{});
    add(out, {row.number,
              row.name,
              row.kernel,
              row.tunables,
              row.from.sentence,
              row.speed ? number(speed.value) : "",
              speed.spread ? number(speed.low) : "",
              speed.spread ? number(speed.high) : "",
              number(row.ofLibrary),
              number(row.ofPeak),
              number(row.predicted),
              number(row.merged),
              number(row.reached),
              row.limitText,
              row.predictedGain ? number(gain.low) : "",
              row.predictedGain ? number(gain.high) : "",
              number(row.measuredGain),
              row.belowText,
              changes,
              row.registers ? whole(*row.registers) : "",
              number(row.occupancy),
              row.sentence});
  }
  return out;
}

}  // namespace

Table sweepTable(const Snapshot& now) {
  const auto& sweeps = now.view<SweepsView>();
  if (sweeps.ladder) return ladderTable(*sweeps.ladder);
  Table out;
  if (!sweeps.picture || sweeps.picture->cells.empty()) return out;
  const SweepView& view = *sweeps.picture;
  const SweepPlan& plan = *view.plan;
  out.title = view.title + (plan.fixed.empty() ? "" : ", " + plan.fixed) + "; " + view.origin +
              ". " + view.story;
  const std::vector<std::string> names = namesOf(plan);
  out.columns = {"kernel"};
  out.columns.insert(out.columns.end(), names.begin(), names.end());
  out.columns.insert(out.columns.end(), {"state", view.axis, "low end of the spread",
                                         "high end of the spread", "best", "reason"});
  for (const SweepCell& cell : view.cells) {
    const SweepPoint& point = plan.points[cell.point];
    const compile::Bindings values = valuesOf(point);
    std::vector<std::string> row{plan.series[point.series].kernel};
    for (const std::string& name : names)
      row.push_back(values.contains(name) ? whole(values.at(name)) : "");
    const bool done = cell.state == SweepCell::State::done;
    row.emplace_back(kStateTexts[static_cast<size_t>(cell.state)]);
    row.push_back(done ? number(cell.value.value) : "");
    row.push_back(done && cell.value.spread ? number(cell.value.low) : "");
    row.push_back(done && cell.value.spread ? number(cell.value.high) : "");
    row.emplace_back(cell.best ? "yes" : "");
    row.push_back(cell.reason);
    add(out, std::move(row));
  }
  return out;
}

}  // namespace tilestep::features
