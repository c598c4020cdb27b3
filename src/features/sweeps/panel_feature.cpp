// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "features/sweeps/panel.h"
#include "features/sweeps/view.h"
#include "ui/kit/feature_panel.h"
#include "ui/shell/state_json.h"

namespace tilestep::features::sweeps {
namespace {

using nlohmann::json;

json pictureOf(const SweepView* view, const UiState& ui) {
  if (view == nullptr) return nullptr;
  const SweepPlan& plan = *view->plan;
  constexpr std::array<const char*, 4> kSources{"interpreter", "live", "recording", "file"};
  json best = json::array();
  for (const SweepCell& cell : view->cells) {
    const SweepPoint& point = plan.points[cell.point];
    if (!cell.best) continue;
    best.push_back({{"x", plan.x.values[point.column]},
                    {"y", plan.y.values.empty() ? json(nullptr) : json(plan.y.values[point.row])},
                    {"value", cell.value.value}});
  }
  return {{"kind", nameOf(plan.kind)},
          {"quantity", nameOf(view->quantity, plan)},
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

json ladderOf(const LadderView* view) {
  if (view == nullptr) return nullptr;
  json rows = json::array();
  for (const LadderRow& row : view->rows)
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

json progressOf(const SweepProgress& progress) {
  if (!progress.running) return nullptr;
  return {{"done", progress.done},
          {"all", progress.all},
          {"paused", progress.paused},
          {"seconds_left", progress.secondsLeft ? json(*progress.secondsLeft) : json(nullptr)},
          {"what", progress.what}};
}

class SweepsPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::optional<Stage> stage() const override { return Stage::sweeps; }
  [[nodiscard]] const char* stageHover() const override {
    return "One or two parameters varied, all points measured or counted (8)";
  }
  [[nodiscard]] std::vector<LegendMark> marks(const Context& context) const override {
    return sweepsMarks(context);
  }
  void drawStage(const Context& context) const override { drawSweeps(context); }
  bool handleKey(KeyTurn turn, const gfx::KeyEvent& event, model::Session& session,
                 UiState& ui) const override {
    return turn == KeyTurn::sweep && handleSweep(event, session, ui);
  }
  void watch(const Context& context, bool isShown) const override {
    context.session.apply(
        model::command("sweeps.look", isShown ? std::optional(context.ui.sweep) : std::nullopt));
  }
  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {{"U", "the next picture (the last one: the ladder)", KeyGroup::sweeps},
            {"Y", "what the picture shows", KeyGroup::sweeps},
            {"comma, period", "what varies along the axes", KeyGroup::sweeps},
            {"Alt+arrows, Enter", "move over the points, choose one", KeyGroup::sweeps},
            {"C", "run or cancel; so does Enter where no point is chosen", KeyGroup::sweeps}};
  }
  void addState(const model::Snapshot& now, const UiState& ui, json& to) const override {
    const auto& view = now.view<SweepsView>();
    to["sweep"] = pictureOf(view.picture.get(), ui);
    to["ladder"] = ladderOf(view.ladder.get());
    to["sweep_progress"] = progressOf(view.progress);
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<SweepsPanel>();
}

}  // namespace tilestep::features::sweeps
