// SPDX-License-Identifier: Apache-2.0
#include "ui/state_file.h"

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/hash.h"
#include "session/ladder_view.h"
#include "session/runs_view.h"

namespace tilestep::ui {
namespace {

using nlohmann::json;

template <class T>
json orNull(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

const char* nameOf(trace::Grain grain) {
  switch (grain) {
    case trace::Grain::phase:
      return "phase";
    case trace::Grain::epoch:
      return "epoch";
    case trace::Grain::event:
      return "event";
  }
  return "";
}

const char* nameOf(session::Notice::Kind kind) {
  switch (kind) {
    case session::Notice::Kind::info:
      return "info";
    case session::Notice::Kind::warning:
      return "warning";
    case session::Notice::Kind::error:
      return "error";
  }
  return "";
}

json countersJson(const trace::Counters& counters) {
  return {
      {"loads", counters.globalLoad.threads},
      {"requests", counters.globalLoad.requests},
      {"sectors", counters.globalLoad.sectors},
      {"stores", counters.globalStore.threads},
      {"shared_wavefronts", counters.sharedLoad.wavefronts + counters.sharedStore.wavefronts},
      {"bank_conflicts", counters.sharedLoad.bankConflicts + counters.sharedStore.bankConflicts}};
}

json stepJson(const session::Snapshot& snapshot) {
  const session::Position& at = snapshot.position;
  json step = {{"grain", nameOf(at.grain)}, {"index", at.index}, {"count", at.size},
               {"playing", at.playing},     {"text", at.text},   {"phase", nullptr},
               {"epoch", nullptr},          {"kind", nullptr},   {"lines", json::array()}};
  if (!snapshot.main) return step;
  step["phase"] = orNull(snapshot.main->step.phase);
  step["epoch"] = snapshot.main->step.epoch;
  step["kind"] = trace::toText(snapshot.main->step.kind);
  step["lines"] = snapshot.main->step.lines;
  step["of_thread"] = at.ofThread;
  return step;
}

json sceneJson(const std::shared_ptr<const session::SideStep>& step, bool stale) {
  if (!step) return nullptr;
  const lab::Result& result = *step->side->result;
  const Dim3& block = step->side->replay->recording().block;
  return {{"kernel", step->side->kernel},
          {"output_hash", hex64(result.outputHash)},
          {"block", {block.x, block.y, block.z}},
          {"trace_from", result.traceFrom},
          {"stale", stale},
          {"block_alone", result.blockAlone},
          {"truncated", step->side->replay->recording().truncated()},
          {"phases", step->side->phases()},
          {"counters", countersJson(step->tally.counters)}};
}

json figuresJson(const session::Snapshot& snapshot) {
  if (!snapshot.figuresMain) return nullptr;
  const lab::Result& result = *snapshot.figuresMain;
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

json kernelsJson(const session::Catalogue& catalogue) {
  json names = json::array();
  for (const compile::CatalogueEntry& entry : catalogue)
    names.push_back(std::filesystem::path(entry.source.path).stem().string());
  return names;
}

json occupancyJson(const std::optional<session::OccupancyView>& view) {
  if (!view) return nullptr;
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
  for (const session::OccupancyBar& bar : view->bars)
    tree["bars"].push_back({{"name", bar.name},
                            {"known", bar.known},
                            {"limits", bar.limits},
                            {"blocks", bar.blocks},
                            {"textbook_blocks", bar.textbookBlocks}});
  for (const session::OccupancyCurve& curve : *view->curves)
    tree["curves"].push_back(
        {{"name", curve.name}, {"points", curve.points.size()}, {"now", orNull(curve.now)}});
  return tree;
}

json elsewhereJson(const std::optional<lab::WhatIf>& there) {
  if (!there) return nullptr;
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

json rooflineJson(const session::RooflineView& view) {
  json points = json::array();
  for (const session::RoofPoint& at : view.points)
    points.push_back({{"level", metrics::toText(at.point.level)},
                      {"companion", at.companion},
                      {"intensity", at.point.intensity.value},
                      {"flops", orNull(at.flopPerSecond)},
                      {"bound", at.bound},
                      {"words", at.words}});
  json marks = json::array();
  for (const session::ReferenceMark& mark : view.marks)
    marks.push_back({{"name", mark.name}, {"flops", mark.flopPerSecond}});
  return {{"device", view.device},
          {"measured", view.measured},
          {"points", points},
          {"verdict", view.verdict},
          {"marks", marks},
          {"former", view.trail.size()},
          {"pinned", view.pinned.size()}};
}

json pinsJson(const session::Snapshot& snapshot) {
  json pins = json::array();
  if (!snapshot.choice.pins) return pins;
  const session::Pin* base = snapshot.choice.pins->baseOrFirst();
  for (const session::Pin& pin : snapshot.choice.pins->pins)
    pins.push_back({{"name", pin.name},
                    {"kernel", pin.kernel},
                    {"origin", session::nameOf(pin.origin)},
                    {"against_base", session::compareRuns(pin, *base).words}});
  return pins;
}

json noticesJson(const session::Snapshot& snapshot) {
  json notices = json::array();
  for (const session::Notice& notice : snapshot.notices) {
    json one = {{"kind", nameOf(notice.kind)}, {"about", notice.about}, {"text", notice.text},
                {"source", notice.source},     {"lines", notice.lines}, {"fix", nullptr}};
    if (notice.fix && notice.fix->tunable.empty()) {
      one["fix"] = {{"device", "simt"}};
    } else if (notice.fix) {
      one["fix"] = {{"tunable", notice.fix->tunable}, {"value", notice.fix->value}};
    }
    if (notice.nearest)
      one["nearest"] = {{"sizes", notice.nearest->sizes}, {"tunables", notice.nearest->tunables}};
    notices.push_back(std::move(one));
  }
  return notices;
}

/// What the warp view shows, in words and numbers.
json warpJson(const std::shared_ptr<const session::WarpView>& view) {
  if (!view) return nullptr;
  json tree = {{"groups", view->groups},      {"group", view->groups[view->group]},
               {"warp", view->warp},          {"line", view->line},
               {"index", view->index},        {"size", view->size},
               {"lanes", view->lanes.size()}, {"sectors", nullptr},
               {"wavefronts", nullptr},       {"verdict", view->verdict}};
  if (view->space == trace::Space::shared)
    tree["wavefronts"] = view->shared.wavefronts;
  else
    tree["sectors"] = view->global.sectors.size();
  return tree;
}

json barriersJson(const session::Snapshot& now) {
  json barriers = json::array();
  if (!now.barriers) return barriers;
  for (const session::BarrierRole& role : *now.barriers)
    barriers.push_back({{"line", role.line}, {"text", session::guardText(role)}});
  return barriers;
}

json raceJson(const session::Snapshot& now) {
  if (!now.race) return nullptr;
  const session::RaceView& race = *now.race;
  size_t slots = 0;
  if (now.main)
    for (const auto& [epoch, byLines] : race.races.byEpoch)
      for (const auto& [lines, places] : byLines)
        if (epoch >= now.main->step.epoch && epoch <= now.main->step.lastEpoch)
          slots += places.size();
  return {{"line", race.line},   {"lines", race.lines}, {"right", race.right},
          {"wrong", race.wrong}, {"made", race.made},   {"verdict", race.verdict},
          {"slots", slots}};
}

json threadJson(const std::shared_ptr<const session::ThreadView>& view) {
  if (!view) return nullptr;
  return {{"name", view->name},   {"warp", view->warp},   {"lane", view->lane},
          {"makes", view->makes}, {"reads", view->reads}, {"loads", view->loads},
          {"gains", view->gains}, {"sum", view->sum},     {"line", view->line},
          {"doing", view->doing}, {"next", view->next}};
}

json ptxJson(const session::Snapshot& now, const UiState& ui) {
  if (!ui.ptxView || !now.ptx) return nullptr;
  return {{"lines", now.ptx->lines.size()},
          {"instructions", now.instructions ? json(*now.instructions) : json::array()}};
}

json tableJson(const session::Snapshot& now, bool companion) {
  const auto& table = companion ? now.companionTable : now.mainTable;
  if (!now.tableWanted || !table) return nullptr;
  return {{"title", table->title}, {"phases", table->phases}, {"threads", table->rows.size()}};
}

json lessonJson(const std::optional<session::LessonView>& view) {
  if (!view) return nullptr;
  return {{"title", view->lesson->title},
          {"step", view->index + 1},
          {"steps", view->lesson->steps.size()},
          {"slug", view->step().slug},
          {"asks", view->step().ask.has_value()},
          {"revealed", view->revealed},
          {"verdict", view->verdict}};
}

json besideJson(const session::Snapshot& now) {
  const session::BesideView& view = now.beside;
  json tree = {{"chosen", now.choice.beside.kernel}, {"kernel", nullptr},
               {"tunables", view.tunables},          {"follows", view.follows},
               {"own_block", view.ownBlock},         {"trouble", view.trouble},
               {"together", view.together},          {"kernels", view.kernels}};
  if (view.entry)
    tree["kernel"] =
        std::filesystem::path((*now.catalogue)[*view.entry].source.path).stem().string();
  return tree;
}

json gainsJson(const session::Snapshot& now) {
  if (!now.gainsKnown) return nullptr;
  const session::Gains& gains = now.gains;
  return {{"subject", gains.subject},     {"against", gains.against},
          {"lanes", orNull(gains.lanes)}, {"sectors", orNull(gains.sectors)},
          {"l2", orNull(gains.l2)},       {"time", orNull(gains.time)}};
}

json liveJson(const session::LiveView& view) {
  constexpr std::array<const char*, 4> kStates{"waiting", "running", "paused", "none"};
  return {{"state", kStates[static_cast<size_t>(view.state)]},
          {"said", view.said},
          {"warning", view.warning},
          {"points", view.points},
          {"choices", view.runs.size()},
          {"change", view.runs.empty() ? "" : view.runs.back().change},
          {"median_ms", view.recent.medianMs}};
}

json sweepJson(const session::SweepView* view, const UiState& ui) {
  if (view == nullptr) return nullptr;
  const session::SweepPlan& plan = *view->plan;
  constexpr std::array<const char*, session::kSweepKinds> kKinds{"tunable", "shapes", "sizes",
                                                                 "ladder"};
  constexpr std::array<const char*, 4> kSources{"interpreter", "live", "recording", "file"};
  json best = json::array();
  for (const session::SweepCell& cell : view->cells) {
    const session::SweepPoint& point = plan.points[cell.point];
    if (!cell.best) continue;
    best.push_back({{"x", plan.x.values[point.column]},
                    {"y", plan.y.values.empty() ? json(nullptr) : json(plan.y.values[point.row])},
                    {"value", cell.value.value}});
  }
  return {{"kind", kKinds[static_cast<size_t>(plan.kind)]},
          {"quantity", session::nameOf(view->quantity, plan)},
          {"title", view->title},
          {"fixed", view->fixed},
          {"origin", view->origin},
          {"story", view->story},
          {"axes", plan.axes},
          {"source", kSources[static_cast<size_t>(plan.source)]},
          {"points", view->cells.size()},
          {"done", view->done},
          {"waiting", view->waiting},
          {"missing", view->missing},
          {"illegal", view->illegal},
          {"best", std::move(best)},
          {"at", ui.sweepAt ? json(*ui.sweepAt) : json(nullptr)}};
}

json ladderJson(const session::LadderView* view) {
  if (view == nullptr) return nullptr;
  json rows = json::array();
  const auto number = [](const std::optional<double>& value) {
    return value ? json(*value) : json(nullptr);
  };
  for (const session::LadderRow& row : view->rows)
    rows.push_back({{"rung", row.number},
                    {"kernel", row.kernel},
                    {"flop_per_second", row.speed ? json(row.speed->value) : json(nullptr)},
                    {"predicted", number(row.predicted)},
                    {"limit", row.limitText},
                    {"sentence", row.sentence}});
  return {{"title", view->title}, {"progress", view->progress}, {"rows", std::move(rows)}};
}

json sweepProgressJson(const session::SweepProgress& progress) {
  if (!progress.running) return nullptr;
  return {{"done", progress.done},
          {"all", progress.all},
          {"paused", progress.paused},
          {"seconds_left", progress.secondsLeft ? json(*progress.secondsLeft) : json(nullptr)},
          {"what", progress.what}};
}

json stateJson(const session::Snapshot& snapshot, const UiState& ui, float width, float height) {
  const session::Busy& busy = snapshot.busy;
  return {{"schema", 1},
          {"kernels", kernelsJson(*snapshot.catalogue)},
          {"kernel", snapshot.choice.kernel},
          {"device", snapshot.choice.device},
          {"device_in_use", snapshot.device},
          {"recorded_on", snapshot.recordedOn},
          {"tunables", snapshot.tunables},
          {"scene_sizes", snapshot.sceneSizes},
          {"measure_sizes", snapshot.measureSizes},
          {"roof_device", snapshot.choice.roofDevice},
          {"badge", snapshot.badge.text},
          {"step", stepJson(snapshot)},
          {"sentence", snapshot.sentence},
          {"scenes",
           {{"main", sceneJson(snapshot.main, snapshot.sceneStale)},
            {"companion", sceneJson(snapshot.companion, snapshot.sceneStale)}}},
          {"warp", warpJson(ui.companionSource && snapshot.companion ? snapshot.companionWarp
                                                                     : snapshot.mainWarp)},
          {"without_barrier", snapshot.choice.withoutBarrier},
          {"barriers", barriersJson(snapshot)},
          {"race", raceJson(snapshot)},
          {"thread", threadJson(ui.companionSource && snapshot.companion ? snapshot.companionThread
                                                                         : snapshot.mainThread)},
          {"thread_view", ui.threadView},
          {"ptx", ptxJson(snapshot, ui)},
          {"broken", snapshot.broken ? json(snapshot.broken->line) : json(nullptr)},
          {"line_chosen", ui.lineChosen},
          {"phase_table", tableJson(snapshot, ui.companionSource && snapshot.companion)},
          {"lesson", lessonJson(snapshot.lesson)},
          {"warp_view", ui.warpView},
          {"figures", figuresJson(snapshot)},
          {"countable", snapshot.countable},
          {"hardware_readable", snapshot.hardwareReadable},
          {"whole_grid", ui.wholeGrid},
          {"occupancy", occupancyJson(snapshot.occupancy)},
          {"stage", nameOf(ui.stage)},
          {"live", liveJson(*snapshot.live)},
          {"sweep", sweepJson(snapshot.sweep.get(), ui)},
          {"ladder", ladderJson(snapshot.ladder.get())},
          {"sweep_progress", sweepProgressJson(snapshot.sweepProgress)},
          {"occupancy_alone", ui.occupancyAlone},
          {"occupancy_curve", ui.occupancyCurve},
          {"elsewhere", elsewhereJson(snapshot.whatIf)},
          {"roofline", rooflineJson(snapshot.roofline)},
          {"history", snapshot.history.size()},
          {"pins", pinsJson(snapshot)},
          {"notices", noticesJson(snapshot)},
          {"busy",
           {{"scene", busy.scene},
            {"measure", busy.measure},
            {"count", busy.count},
            {"stage", busy.stage}}},
          {"can_undo", snapshot.canUndo},
          {"can_redo", snapshot.canRedo},
          {"theme", nameOf(ui.theme)},
          {"scale", ui.shownScale},
          {"presenting", ui.presenting},
          {"plot", nameOf(ui.plot)},
          {"help", ui.help},
          {"list_open", ui.popupOpen},
          {"typing", ui.typing},
          {"choice_at", orNull(ui.choiceAt)},
          {"motion", ui.motion},
          {"folded",
           {{"controls", !ui.isShown(Panel::controls)},
            {"source", !ui.isShown(Panel::source)},
            {"measures", !ui.isShown(Panel::measures)}}},
          {"window", {width, height}},
          {"beside", besideJson(snapshot)},
          {"gains", gainsJson(snapshot)},
          {"ptx_view", ui.ptxView}};
}

}  // namespace

std::string stateText(const session::Snapshot& snapshot, const UiState& ui, float width,
                      float height) {
  return stateJson(snapshot, ui, width, height).dump(2, ' ', false, json::error_handler_t::replace);
}

Status beginStateFile(const std::string& path) {
  const Status written = writeFileAtomically(path, "{}\n");
  if (written) return {};
  return requestError("the window's state cannot be kept: " + written.error().message +
                      "; name a file in a folder that you may write to");
}

void StateFile::update(const session::Snapshot& snapshot, const UiState& ui, float width,
                       float height, const FrameTimes& frames) {
  json state = stateJson(snapshot, ui, width, height);
  std::string text = state.dump(2, ' ', false, json::error_handler_t::replace);
  if (text == last_) return;
  last_ = std::move(text);
  state["frames"] = {{"count", frames.count},
                     {"first_ms", frames.firstMs},
                     {"p99_ms", frames.p99Ms},
                     {"last_ms", frames.lastMs}};
  // A reader that is not there any more is no reason to stop: the next change tries again.
  if (!writeFileAtomically(path_, state.dump(2, ' ', false, json::error_handler_t::replace) + "\n"))
    last_.clear();
}

}  // namespace tilestep::ui
