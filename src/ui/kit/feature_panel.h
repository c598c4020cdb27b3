// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ui/kit/context.h"
#include "ui/kit/legend.h"

namespace tilestep::ui {

/// The parts of the help, in their order. On a stage with keys of its own these come before all
/// others, so that no key means two things on one view.
enum class KeyGroup : uint8_t {
  steps,
  choice,
  scene,
  cube,
  plots,
  sweeps,
  timeline,
  lessons,
  window
};
inline constexpr size_t kKeyGroups = 9;

/// One line of the help, and what its keys do.
struct KeyHelp {
  const char* keys;
  const char* what;
  KeyGroup group = KeyGroup::choice;
  bool ofPanel = false;              ///< It changes a panel that a presentation hides.
  std::u32string_view letters = {};  ///< The characters that it acts on.
  /// Acts on one of them. Null: the keys are handled elsewhere.
  void (*press)(char32_t letter, model::Session& session, UiState& ui) = nullptr;
};

/// A feature's parts of the window, all of which are optional: a section of the measures, a plot of
/// the presentation, a stage in the middle of the window, keys, and a part of the state file.
class FeaturePanel {
 public:
  struct Heading {
    std::string title;
    std::string aside;  ///< Stands small beside the title; may be empty.
  };

  virtual ~FeaturePanel() = default;

  /// The id of the table that tells the same as the section or plot (model/export/table.h), by
  /// which a picture of it is saved. Empty: there is neither.
  [[nodiscard]] virtual std::string_view table() const { return {}; }
  /// The heading that folds the section; nothing where it has nothing to show at this moment.
  [[nodiscard]] virtual std::optional<Heading> heading(const Context& /*context*/) const {
    return std::nullopt;
  }
  /// Draws the section. It fills the width of the ImGui window that is open. `room`: the height of
  /// all sections, pixels.
  virtual void drawSection(const Context& /*context*/, float /*room*/) const {}

  /// Which plot of the presentation it draws.
  [[nodiscard]] virtual std::optional<model::PlotKind> plot() const { return std::nullopt; }
  /// The reason why there is no plot at this moment; empty if there is one.
  [[nodiscard]] virtual std::string whyNoPlot(const Context& /*context*/) const { return {}; }
  /// Draws the plot alone, `height` pixels high where it has no height of its own.
  virtual void drawPlot(const Context& context, float height) const {
    drawSection(context, height);
  }

  /// Which stage it draws in the middle of the window.
  [[nodiscard]] virtual std::optional<Stage> stage() const { return std::nullopt; }
  /// The description of that stage, shown on pointing at its tab.
  [[nodiscard]] virtual const char* stageHover() const { return ""; }
  virtual void drawStage(const Context& /*context*/) const {}
  /// The meanings of the marks that are on that stage at this moment.
  [[nodiscard]] virtual std::vector<LegendMark> marks(const Context& /*context*/) const {
    return {};
  }
  /// Once a frame: whether its stage is shown, so that its feature can leave undone what nobody
  /// looks at.
  virtual void watch(const Context& /*context*/, bool /*isShown*/) const {}

  /// Its keys, as lines of the help.
  [[nodiscard]] virtual std::vector<KeyHelp> keys() const { return {}; }
  /// Acts on a typed character. False where no key of it acts on that character.
  virtual bool takeText(char32_t text, model::Session& session, UiState& ui) const {
    for (const KeyHelp& key : keys())
      if (key.press != nullptr && key.letters.find(text) != std::u32string_view::npos)
        return key.press(text, session, ui), true;
    return false;
  }
  /// Adds what it shows to the window's state (ui/shell/state_file.h).
  virtual void addState(const model::Snapshot& /*now*/, const UiState& /*ui*/,
                        nlohmann::json& /*to*/) const {}
};
using FeaturePanels = std::vector<std::unique_ptr<FeaturePanel>>;

}  // namespace tilestep::ui
