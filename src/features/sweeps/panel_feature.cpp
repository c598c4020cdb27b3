// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "features/sweeps/panel.h"
#include "features/sweeps/view.h"
#include "gfx/window.h"
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
          {"fixed", plan.fixed},
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

bool walk(const gfx::KeyEvent& event, const SweepView* view, UiState& ui) {
  using gfx::Key;
  if (!event.alt || view == nullptr) return false;
  const int dx = event.key == Key::right ? 1 : event.key == Key::left ? -1 : 0;
  const int dy = event.key == Key::up ? 1 : event.key == Key::down ? -1 : 0;
  if (dx == 0 && dy == 0) return false;
  ui.sweepAt = neighbourOf(*view, ui.sweepAt, dx, dy);
  ui.sweepMoved = true;
  return true;
}

void runOrCancel(model::Session& session) {
  if (session.snapshot()->view<SweepsView>().progress.running)
    session.apply(model::command("sweeps.cancel"));
  else
    session.apply(model::command("sweeps.run", false));
}

void nextQuantity(UiState& ui, const SweepView& view) {
  const auto at = std::ranges::find(view.quantities, view.quantity);
  const size_t next = static_cast<size_t>(at - view.quantities.begin()) + 1;
  if (!view.quantities.empty())
    ui.sweep.quantity = view.quantities[next < view.quantities.size() ? next : 0];
}

void nextAxes(UiState& ui, const SweepPlan& plan, bool forward) {
  const size_t count = plan.axes.size();
  if (count == 0) return;
  ui.sweep.axes = (plan.axesAt + (forward ? 1 : count - 1)) % count;
  ui.sweepAt.reset();
}

bool handleLetter(char32_t text, model::Session& session, UiState& ui, const SweepView* view) {
  const size_t kind = (static_cast<size_t>(ui.sweep.kind) + 1) % model::kSweepKinds;
  switch (text) {
    case U'c':
    case U'C':
      runOrCancel(session);
      return true;
    case U'u':
    case U'U':
      chooseSweepKind(ui, static_cast<SweepKind>(kind));
      return true;
    case U'y':
    case U'Y':
      if (view != nullptr) nextQuantity(ui, *view);
      return true;
    case U'.':
    case U',':
      if (view != nullptr) nextAxes(ui, *view->plan, text == U'.');
      return true;
    default:
      return false;
  }
}

bool handleSweep(const gfx::KeyEvent& event, model::Session& session, UiState& ui) {
  if (ui.stage != Stage::sweeps || event.control) return false;
  if (event.shift && event.text == 0) return false;  // Shift only makes letters capitals.
  const auto now = session.snapshot();
  const SweepView* view = now->view<SweepsView>().picture.get();
  if (walk(event, view, ui)) return true;
  if (event.key == gfx::Key::enter) {
    if (!ui.sweepAt)
      runOrCancel(session);
    else if (session.apply(model::command("sweeps.go", *ui.sweepAt)))
      ui.sweepAt.reset();
    return true;
  }
  if (event.key == gfx::Key::escape && ui.sweepAt) {
    ui.sweepAt.reset();
    return true;
  }
  return event.text != 0 && !event.alt && handleLetter(event.text, session, ui, view);
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
    return {{"U", "the next picture; the ladder is the last one", KeyGroup::sweeps},
            {"Y", "the quantity that the picture shows", KeyGroup::sweeps},
            {"comma, period", "the parameters that vary along the axes", KeyGroup::sweeps},
            {"Alt+arrows, Enter", "move over the points, choose one", KeyGroup::sweeps},
            {"C", "run or cancel; also Enter while no point is chosen", KeyGroup::sweeps}};
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
