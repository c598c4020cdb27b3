// SPDX-License-Identifier: Apache-2.0
// What the window shows of counts, times and sweeps, as JSON.
#include <array>

#include "base/hash.h"
#include "features/gains/view.h"
#include "features/known_devices/view.h"
#include "features/live/live.h"
#include "features/occupancy/occupancy_view.h"
#include "features/pins/runs_view.h"
#include "features/roofline/roofline_view.h"
#include "features/sweeps/ladder_view.h"
#include "ui/shell/state_json.h"

namespace tilestep::ui {

using nlohmann::json;

json figuresJson(const model::Snapshot& snapshot) {
  if (!snapshot.figuresMain) return nullptr;
  const lab::RunResult& result = *snapshot.figuresMain;
  json figures = {{"kernel", result.kernel},
                  {"sizes", result.plan.sizes},
                  {"output_hash", hex64(result.outputHash)},
                  {"median_ms", nullptr},
                  {"stale", snapshot.figuresStale},
                  {"block_alone", snapshot.figuresOfBlock},
                  {"counters", nullptr},
                  {"companion", nullptr}};
  if (result.measurement) figures["median_ms"] = result.measurement->medianMs;
  if (result.counters) figures["counters"] = countersJson(result.counters->total);
  if (snapshot.figuresCompanion && snapshot.figuresCompanion->counters)
    figures["companion"] = countersJson(snapshot.figuresCompanion->counters->total);
  return figures;
}

json occupancyJson(const model::Snapshot& now) {
  const auto* view = now.views.get<model::OccupancyView>();
  if (view == nullptr) return nullptr;
  json tree = {{"ratio", view->ratio}, {"limiter", view->limiter}, {"note", view->note}};
  tree["achieved"] = view->achieved ? json(view->achieved->achievedOccupancy) : json(nullptr);
  tree["barrier_wait"] = view->achieved ? json(view->achieved->barrierWaitShare) : json(nullptr);
  tree.update({{"device", view->device},
               {"from_data_sheet", view->fromDataSheet},
               {"blocks", view->blocks},
               {"warps", view->warps},
               {"warps_max", view->warpsMax},
               {"refusal", view->refusal},
               {"why", view->why},
               {"steps", view->steps},
               {"registers", view->registers.count},
               {"registers_from", lab::toText(view->registers.from)},
               {"bars", json::array()},
               {"curves", json::array()}});
  for (const model::OccupancyBar& bar : view->bars)
    tree["bars"].push_back({{"name", bar.name},
                            {"known", bar.known},
                            {"limits", bar.limits},
                            {"blocks", bar.blocks},
                            {"textbook_blocks", bar.textbookBlocks}});
  for (const model::OccupancyCurve& curve : *view->curves)
    tree["curves"].push_back(
        {{"name", curve.name}, {"points", curve.points.size()}, {"now", orNull(curve.now)}});
  return tree;
}

json elsewhereJson(const model::Snapshot& now) {
  const auto* view = now.views.get<model::KnownDeviceView>();
  if (view == nullptr) return nullptr;
  const lab::WhatIf* there = &view->whatIf;
  json bounds = json::array();
  for (const lab::Bound& bound : there->bounds)
    bounds.push_back({{"minimum", bound.minimum},
                      {"flop_per_byte", bound.flopPerByte},
                      {"flop_per_second", bound.flopPerSecond}});
  return {{"device", there->id},
          {"name", there->name},
          {"refusal", there->refusal()},
          {"bounds", std::move(bounds)}};
}

json rooflineJson(const model::RooflineView& view) {
  json points = json::array();
  for (const model::RoofPoint& at : view.points)
    points.push_back({{"level", metrics::toText(at.point.level)},
                      {"companion", at.companion},
                      {"intensity", at.point.intensity.value},
                      {"flops", orNull(at.flopPerSecond)},
                      {"bound", at.bound},
                      {"words", at.words}});
  json marks = json::array();
  for (const model::ReferenceMark& mark : view.marks)
    marks.push_back({{"name", mark.name}, {"flops", mark.flopPerSecond}});
  return {{"device", view.device},
          {"measured", view.measured},
          {"points", points},
          {"verdict", view.verdict},
          {"marks", marks},
          {"former", view.trail.size()},
          {"pinned", view.pinned.size()}};
}

json pinsJson(const model::Snapshot& snapshot) {
  json pins = json::array();
  if (!snapshot.choice.pins) return pins;
  const model::Pin* base = snapshot.choice.pins->baseOrFirst();
  for (const model::Pin& pin : snapshot.choice.pins->pins)
    pins.push_back({{"name", pin.name},
                    {"kernel", pin.kernel},
                    {"origin", model::nameOf(pin.origin)},
                    {"against_base", model::compareRuns(pin, *base).words}});
  return pins;
}

json gainsJson(const model::Snapshot& now) {
  if (!now.view<model::GainsView>().known) return nullptr;
  const model::Gains& gains = now.view<model::GainsView>().gains;
  return {{"subject", gains.subject},
          {"against", gains.against},
          {"lanes", orNull(gains.lanes)},
          {"sectors", orNull(gains.sectors)},
          {"l2", orNull(gains.l2)},
          {"time", orNull(gains.time)},
          {"note", gains.note}};
}

json liveJson(const model::LiveView& view) {
  constexpr std::array<const char*, 4> kStates{"waiting", "running", "paused", "none"};
  return {{"state", kStates[static_cast<size_t>(view.state)]},
          {"said", view.said},
          {"warning", view.warning},
          {"points", view.points},
          {"choices", view.runs.size()},
          {"of_now", view.ofNow},
          {"change", view.runs.empty() ? "" : view.runs.back().change},
          {"median_ms", view.recent.medianMs}};
}

json sweepJson(const model::SweepView* view, const UiState& ui) {
  if (view == nullptr) return nullptr;
  const model::SweepPlan& plan = *view->plan;
  constexpr std::array<const char*, 4> kSources{"interpreter", "live", "recording", "file"};
  json best = json::array();
  for (const model::SweepCell& cell : view->cells) {
    const model::SweepPoint& point = plan.points[cell.point];
    if (!cell.best) continue;
    best.push_back({{"x", plan.x.values[point.column]},
                    {"y", plan.y.values.empty() ? json(nullptr) : json(plan.y.values[point.row])},
                    {"value", cell.value.value}});
  }
  return {{"kind", nameOf(plan.kind)},
          {"quantity", model::nameOf(view->quantity, plan)},
          {"title", view->title},
          {"fixed", view->fixed},
          {"origin", view->origin},
          {"axes", plan.axes},
          {"source", kSources[static_cast<size_t>(plan.source)]},
          {"points", view->cells.size()},
          {"done", view->done},
          {"waiting", view->waiting},
          {"missing", view->missing},
          {"illegal", view->illegal},
          {"story", view->story},
          {"best", std::move(best)},
          {"at", ui.sweepAt ? json(*ui.sweepAt) : json(nullptr)}};
}

json ladderJson(const model::LadderView* view) {
  if (view == nullptr) return nullptr;
  json rows = json::array();
  for (const model::LadderRow& row : view->rows)
    rows.push_back({{"rung", row.number},
                    {"kernel", row.kernel},
                    {"tunables", row.tunables},
                    {"tunables_from", row.from.name},
                    {"flop_per_second", row.speed ? json(row.speed->value) : json(nullptr)},
                    {"predicted", orNull(row.predicted)},
                    {"limit", row.limitText},
                    {"sentence", row.sentence}});
  return {{"title", view->title}, {"progress", view->progress}, {"rows", std::move(rows)}};
}

json sweepProgressJson(const model::SweepProgress& progress) {
  if (!progress.running) return nullptr;
  return {{"done", progress.done},
          {"all", progress.all},
          {"paused", progress.paused},
          {"seconds_left", progress.secondsLeft ? json(*progress.secondsLeft) : json(nullptr)},
          {"what", progress.what}};
}

}  // namespace tilestep::ui
