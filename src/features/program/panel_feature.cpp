// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "features/program/panel.h"
#include "ui/kit/feature_panel.h"
#include "ui/page/page_step.h"

namespace tilestep::features::program {
namespace {

using nlohmann::json;

const char* nameOf(ProgramView::State state) {
  constexpr const char* kNames[] = {"none", "running", "refused", "stopped", "compiled", "ended"};
  return kNames[static_cast<size_t>(state)];
}

json pixelsOf(ImVec2 at) {
  return {static_cast<int>(at.x), static_cast<int>(at.y)};
}

/// Keys of an open program, active even while its text has the keyboard focus.
bool handleProgram(const gfx::KeyEvent& event, model::Session& session, UiState& ui) {
  if (ui.stage != Stage::program || !event.control) return false;
  if (event.key == gfx::Key::enter) return session.apply(model::command("program.run")), true;
  if (event.key == gfx::keyOf('S')) return session.apply(model::command("program.save")), true;
  if (event.key == gfx::keyOf('F')) return ui.searchWished = true;
  if (event.key == gfx::keyOf('R'))
    return session.apply(model::command("program.return_to", "")), true;
  if (ui.typing) return false;  // A text field has its own undo.
  if (event.key == gfx::keyOf('Z') && !event.shift)
    return session.apply(model::command("program.undo")), true;
  if (event.key == gfx::keyOf('Y') || event.key == gfx::keyOf('Z'))
    return session.apply(model::command("program.redo")), true;
  return false;
}

/// Adds the open program's complete text and findings.
void addProgram(const Snapshot& now, PageStep& step) {
  const auto& view = now.view<ProgramView>();
  if (!view.text) return;
  step.sentence = view.verdict;
  model::PageSource source{view.name, {}};
  for (const std::string& line : pageLinesOf(*view.text))
    source.lines.push_back({static_cast<uint32_t>(source.lines.size() + 1), line});
  step.sources.push_back(std::move(source));
  step.tables.push_back(tableToRead("findings", now));
}

class ProgramPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::optional<Stage> stage() const override { return Stage::program; }
  [[nodiscard]] const char* stageHover() const override {
    return "Your own program: its text, findings and steps";
  }
  void drawStage(const Context& context) const override { drawProgram(context); }

  /// Switches to the stage when a program was opened.
  void watch(const Context& context, bool /*isShown*/) const override {
    const auto& view = context.snapshot.view<ProgramView>();
    context.ui.isProgramOpen = !view.path.empty();
    if (std::exchange(context.ui.programOpenings, view.openings) < view.openings)
      context.ui.stage = Stage::program;
  }

  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {{"Ctrl+O", "open your own program", KeyGroup::window},
            {"Ctrl+Enter", "program: compile and run it", KeyGroup::window},
            {"Ctrl+F", "program: find in its text", KeyGroup::window},
            {"Ctrl+R", "program: restore the newest version", KeyGroup::window}};
  }

  bool handleKey(KeyTurn turn, const gfx::KeyEvent& event, model::Session& session,
                 UiState& ui) const override {
    return turn == KeyTurn::overlay && handleProgram(event, session, ui);
  }
  void addItems(PaletteGroup group, const Context& context,
                std::vector<PaletteItem>& to) const override {
    if (group != PaletteGroup::files) return;
    for (const std::string& path : context.snapshot.view<ProgramView>().recent)
      to.push_back(
          paletteItem(context, "Open again: " + path, "", model::command("program.open", path)));
  }
  void describe(const model::Snapshot& now, const UiState& ui,
                model::PageStep& step) const override {
    if (ui.stage == Stage::program) addProgram(now, step);
  }

  void addState(const model::Snapshot& now, const UiState& ui, json& to) const override {
    const auto& view = now.view<ProgramView>();
    if (view.path.empty()) return;
    json& state = to["program"];
    state = {{"path", view.path},       {"state", nameOf(view.state)},
             {"verdict", view.verdict}, {"saved", view.isSaved},
             {"old", view.isOld},       {"launch", view.launch},
             {"finding", view.finding}, {"output", view.output->size()}};
    state["fix_outcome"] = view.fixOutcome;
    const ProgramLook* look = programLook(ui);
    if (look != nullptr) {
      state["take_fix"] = pixelsOf(look->takeFixAt);
      state["step_there"] = pixelsOf(look->stepThereAt);
      state["first_launch"] = pixelsOf(look->launchAt);
    }
    json& sliders = state["sliders"] = json::object();
    for (const auto& [name, value] : view.values) {
      sliders[name] = {{"value", value}};
      if (look != nullptr && look->sliders.contains(name)) {
        const gfx::Box& box = look->sliders.at(name);
        sliders[name]["box"] = {box.x, box.y, box.width, box.height};
      }
    }
    if (!view.summary) return;
    state["findings"] = view.summary->findings.size();
    state["faults"] = view.summary->faults();
    state["steps"] = view.summary->steps.size();
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<ProgramPanel>();
}

}  // namespace tilestep::features::program
