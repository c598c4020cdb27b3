// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gfx/window.h"
#include "ui/kit/context.h"
#include "ui/kit/legend.h"
#include "ui/kit/parts.h"

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

/// When a feature may act on a key (ui/shell/keys.cpp), in this order.
enum class KeyTurn : uint8_t {
  overlay,  ///< Before the window's own keys, also while text is typed.
  page,     ///< Also while text is typed, unless Esc leaves the field, but not in a list or help.
  choice,   ///< Not while text is typed.
  sweep,    ///< Only while the keyboard is used for nothing else.
  tour,     ///< The same, after Esc has closed the glossary.
  stage     ///< After function keys; not while text is typed nor in a list.
};

/// A thing that the command palette finds by its name (ui/shell/palette.h).
struct PaletteItem {
  std::string name;   ///< "Kernel: tiled · Tiled product"
  std::string aside;  ///< Its key, or a distinguishing detail: "F5", "matmul_tiled". May be empty.
  std::function<void()> run;
};
[[nodiscard]] inline PaletteItem paletteItem(const Context& context, std::string name,
                                             std::string aside, model::Command command) {
  return {std::move(name), std::move(aside),
          [&session = context.session, command = std::move(command)] { session.apply(command); }};
}
/// The palette's groups that features add items to.
enum class PaletteGroup : uint8_t { learning, files, tuning };

/// A feature's parts of the window, all of which are optional: a section of the measures, a plot of
/// the presentation, a stage in the middle of the window, other parts, keys, items of the command
/// palette, a part of the state file, and texts of pages.
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
  /// Once a frame, before the layout: sets what the layout depends on.
  virtual void prepare(const Context& /*context*/) const {}
  /// Once a frame: whether its stage is shown, so that its feature can skip work for
  /// a stage that is not visible.
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
  /// Acts on a key at that turn. False where the key is not its own.
  virtual bool handleKey(KeyTurn /*turn*/, const gfx::KeyEvent& /*event*/,
                         model::Session& /*session*/, UiState& /*ui*/) const {
    return false;
  }
  virtual void addItems(PaletteGroup /*group*/, const Context& /*context*/,
                        std::vector<PaletteItem>& /*to*/) const {}

  // These answer the functions of ui/kit/parts.h.
  [[nodiscard]] virtual PartDrawers parts() const { return {}; }
  [[nodiscard]] virtual std::unique_ptr<ScenePart> makeScene(gfx::Renderer* /*renderer*/) const {
    return nullptr;
  }
  [[nodiscard]] virtual std::unique_ptr<StepScript> makeScript() const { return nullptr; }
  [[nodiscard]] virtual std::string report(const model::Snapshot& /*now*/,
                                           const std::vector<std::byte>& /*png*/,
                                           const std::string& /*when*/) const {
    return {};
  }
  virtual void describe(const model::Snapshot& /*now*/, const UiState& /*ui*/,
                        model::PageStep& /*step*/) const {}
  /// Whether the content of one of its views has been made. Views that take work are made only
  /// while they are shown. `view`: the id of its table.
  [[nodiscard]] virtual bool isMade(std::string_view /*view*/,
                                    const model::Snapshot& /*now*/) const {
    return true;
  }

  /// Adds what it shows to the window's state (ui/shell/state_file.h).
  virtual void addState(const model::Snapshot& /*now*/, const UiState& /*ui*/,
                        nlohmann::json& /*to*/) const {}
};
using FeaturePanels = std::vector<std::unique_ptr<FeaturePanel>>;

}  // namespace tilestep::ui
