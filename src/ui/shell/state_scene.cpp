// SPDX-License-Identifier: Apache-2.0
// What the window shows of the steps, as JSON.
#include <filesystem>

#include "base/hash.h"
#include "features/barriers/view.h"
#include "features/phases/view.h"
#include "features/source/view.h"
#include "ui/shell/state_json.h"

namespace tilestep::ui {

using nlohmann::json;

namespace {

const char* nameOf(trace::StepGranularity grain) {
  switch (grain) {
    case trace::StepGranularity::phase:
      return "phase";
    case trace::StepGranularity::epoch:
      return "epoch";
    case trace::StepGranularity::event:
      return "event";
  }
  return "";
}

}  // namespace

json countersJson(const trace::Counters& counters) {
  return {
      {"loads", counters.globalLoad.threads},
      {"requests", counters.globalLoad.requests},
      {"sectors", counters.globalLoad.sectors},
      {"stores", counters.globalStore.threads},
      {"shared_wavefronts", counters.sharedLoad.wavefronts + counters.sharedStore.wavefronts},
      {"bank_conflicts", counters.sharedLoad.bankConflicts + counters.sharedStore.bankConflicts}};
}

json stepJson(const model::Snapshot& snapshot) {
  const model::Position& at = snapshot.position;
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

json sceneJson(const std::shared_ptr<const model::TracedStep>& step, bool stale) {
  if (!step) return nullptr;
  const lab::RunResult& result = *step->side->result;
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

/// What the warp view shows, in words and numbers.
json warpJson(const std::shared_ptr<const model::WarpView>& view) {
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

json barriersJson(const model::Snapshot& now) {
  json barriers = json::array();
  const auto* view = now.views.get<model::BarriersView>();
  if (view == nullptr) return barriers;
  for (const model::BarrierRole& role : *view->roles)
    barriers.push_back({{"line", role.line}, {"text", model::guardText(role)}});
  return barriers;
}

json raceJson(const model::Snapshot& now) {
  const auto* view = now.views.get<model::BarriersView>();
  if (view == nullptr || !view->race) return nullptr;
  const model::RaceView& race = *view->race;
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

json threadJson(const std::shared_ptr<const model::ThreadView>& view) {
  if (!view) return nullptr;
  return {{"name", view->name},   {"warp", view->warp},   {"lane", view->lane},
          {"makes", view->makes}, {"reads", view->reads}, {"loads", view->loads},
          {"gains", view->gains}, {"sum", view->sum},     {"line", view->line},
          {"doing", view->doing}, {"next", view->next}};
}

json ptxJson(const model::Snapshot& now, const UiState& ui) {
  if (!ui.ptxView || !now.view<model::SourceView>().ptx) return nullptr;
  return {{"lines", now.view<model::SourceView>().ptx->lines.size()},
          {"instructions", now.view<model::SourceView>().instructions
                               ? json(*now.view<model::SourceView>().instructions)
                               : json::array()}};
}

json tableJson(const model::Snapshot& now, bool companion) {
  const auto& table =
      companion ? now.view<model::PhasesView>().companion : now.view<model::PhasesView>().main;
  if (!now.view<model::PhasesView>().wanted || !table) return nullptr;
  return {{"title", table->title}, {"phases", table->phases}, {"threads", table->rows.size()}};
}

json lessonJson(const std::optional<model::LessonView>& view) {
  if (!view) return nullptr;
  return {{"title", view->lesson->title},
          {"step", view->index + 1},
          {"steps", view->lesson->steps.size()},
          {"slug", view->step().slug},
          {"asks", view->step().ask.has_value()},
          {"revealed", view->revealed},
          {"verdict", view->verdict},
          {"text", view->shown->text},
          {"question", view->shown->question},
          {"choices", view->shown->choices},
          {"answer", view->revealed ? json(view->shown->answer) : json(nullptr)},
          {"coming", view->shown->coming},
          {"missing", view->shown->missing},
          {"origin", view->shown->origin}};
}

}  // namespace tilestep::ui
