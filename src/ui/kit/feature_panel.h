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

/// The sections of the help, in display order. If the stage has its own keys, their section comes
/// first, so that no key means two things on one view.
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

struct KeyHelp {
  const char* keys;
  const char* what;
  KeyGroup group = KeyGroup::choice;
  bool ofPanel = false;              ///< The keys change a panel that a presentation hides.
  std::u32string_view letters = {};  ///< The characters that `press` handles.
  /// Handles one of `letters`. Null if the keys are handled elsewhere.
  void (*press)(char32_t letter, model::Session& session, UiState& ui) = nullptr;
};

/// When a feature may handle a key (ui/shell/keys.cpp), in this order.
enum class KeyTurn : uint8_t {
  overlay,  ///< Before the window's own keys, also while text is typed.
  page,  ///< Also while text is typed, but not if Esc leaves the field, nor in a list or the help.
  choice,  ///< Not while text is typed.
  sweep,   ///< Only while the keyboard is used for nothing else.
  tour,    ///< Like `sweep`, after Esc has closed the glossary.
  stage    ///< After function keys, and not while text is typed or a list is open.
};

/// An item that the command palette finds by its name (ui/shell/palette.h).
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
    std::string aside;  ///< Small text beside the title; may be empty.
  };

  virtual ~FeaturePanel() = default;

  /// The id of the table with the same content as the section or plot (model/export/table.h). Saved
  /// pictures of the section use this id, too. Empty if there is no section and no plot.
  [[nodiscard]] virtual std::string_view table() const { return {}; }
  /// The heading that folds the section; absent if the section is empty at the moment.
  [[nodiscard]] virtual std::optional<Heading> heading(const Context& /*context*/) const {
    return std::nullopt;
  }
  /// Draws the section over the full width of the current ImGui window. `room` is the height of all
  /// sections in pixels.
  virtual void drawSection(const Context& /*context*/, float /*room*/) const {}

  [[nodiscard]] virtual std::optional<model::PlotKind> plot() const { return std::nullopt; }
  /// The reason why the plot is unavailable at the moment; empty if it is available.
  [[nodiscard]] virtual std::string whyNoPlot(const Context& /*context*/) const { return {}; }
  /// Draws the plot alone. It is `height` pixels high unless the plot determines its own height.
  virtual void drawPlot(const Context& context, float height) const {
    drawSection(context, height);
  }

  [[nodiscard]] virtual std::optional<Stage> stage() const { return std::nullopt; }
  /// The stage's description, shown when its tab is hovered.
  [[nodiscard]] virtual const char* stageHover() const { return ""; }
  virtual void drawStage(const Context& /*context*/) const {}
  [[nodiscard]] virtual std::vector<LegendMark> marks(const Context& /*context*/) const {
    return {};
  }
  /// Called once per frame before the layout, to set what the layout depends on.
  virtual void prepare(const Context& /*context*/) const {}
  /// Called once per frame. If the feature's stage is not shown, the feature can skip work for it.
  virtual void watch(const Context& /*context*/, bool /*isShown*/) const {}

  [[nodiscard]] virtual std::vector<KeyHelp> keys() const { return {}; }
  /// Handles a typed character. False if the feature has no key for it.
  virtual bool takeText(char32_t text, model::Session& session, UiState& ui) const {
    for (const KeyHelp& key : keys())
      if (key.press != nullptr && key.letters.find(text) != std::u32string_view::npos)
        return key.press(text, session, ui), true;
    return false;
  }
  /// Handles a key when its turn comes. False if the key is not this feature's.
  virtual bool handleKey(KeyTurn /*turn*/, const gfx::KeyEvent& /*event*/,
                         model::Session& /*session*/, UiState& /*ui*/) const {
    return false;
  }
  virtual void addItems(PaletteGroup /*group*/, const Context& /*context*/,
                        std::vector<PaletteItem>& /*to*/) const {}

  // The functions of ui/kit/parts.h call these.
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
  /// Whether the content of the view with this table id has been made. Views that are slow to make
  /// are made only while they are shown.
  [[nodiscard]] virtual bool isMade(std::string_view /*view*/,
                                    const model::Snapshot& /*now*/) const {
    return true;
  }

  /// Adds the feature's part to the window's state (ui/shell/state_file.h).
  virtual void addState(const model::Snapshot& /*now*/, const UiState& /*ui*/,
                        nlohmann::json& /*to*/) const {}
};
using FeaturePanels = std::vector<std::unique_ptr<FeaturePanel>>;

}  // namespace tilestep::ui
