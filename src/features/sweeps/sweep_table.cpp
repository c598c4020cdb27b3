// SPDX-License-Identifier: Apache-2.0
#include "features/sweeps/sweep_table.h"

#include <algorithm>

#include "features/sweeps/ladder_table.h"
#include "features/sweeps/view.h"
#include "lab/figures.h"
#include "model/export/table_parts.h"

namespace tilestep::features {
namespace {

const char* textOf(SweepCell::State state) {
  switch (state) {
    case SweepCell::State::waiting:
      return "not run yet";
    case SweepCell::State::done:
      return "ok";
    case SweepCell::State::missing:
      return "missing";
    case SweepCell::State::illegal:
      return "cannot run";
  }
  return "";
}

std::string valueIn(const compile::Bindings& values, const std::string& name) {
  const auto at = values.find(name);
  return at == values.end() ? std::string() : whole(at->second);
}

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

}  // namespace

Table sweepTable(const Snapshot& now) {
  if (now.view<SweepsView>().ladder) return ladderTable(now);
  Table out;
  if (!now.view<SweepsView>().picture || now.view<SweepsView>().picture->cells.empty()) return out;
  const SweepView& view = *now.view<SweepsView>().picture;
  const SweepPlan& plan = *view.plan;
  out.title = view.title + (view.fixed.empty() ? "" : ", " + view.fixed) + "; " + view.origin +
              ". " + view.story;
  const std::vector<std::string> names = namesOf(plan);
  out.columns = {"kernel"};
  out.columns.insert(out.columns.end(), names.begin(), names.end());
  for (const std::string& column :
       {std::string("state"), view.axis, std::string("low end of the spread"),
        std::string("high end of the spread"), std::string("best"), std::string("reason")})
    out.columns.push_back(column);
  for (const SweepCell& cell : view.cells) {
    const SweepPoint& point = plan.points[cell.point];
    const compile::Bindings values = valuesOf(point);
    std::vector<std::string> row{plan.series[point.series].kernel};
    for (const std::string& name : names) row.push_back(valueIn(values, name));
    const bool done = cell.state == SweepCell::State::done;
    row.emplace_back(textOf(cell.state));
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
