// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/palette.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <optional>
#include <utility>

#include "base/sentence.h"
#include "compile/front_matter/front_matter.h"
#include "features/panel_registry.h"
#include "model/scene/traced_kernel.h"
#include "ui/kit/widgets.h"
#include "ui/shell/help/help.h"
#include "ui/shell/keys.h"
#include "ui/shell/layout.h"
#include "ui/shell/open_dialog.h"
#include "ui/shell/saving/save_dialog.h"

namespace tilestep::ui {
namespace {

constexpr std::string_view kOwnKey = "Ctrl+K";

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// The key press that a help entry names, if it names exactly one: "J", "F5", "Ctrl+Z".
std::optional<gfx::KeyEvent> eventOf(std::string_view keys) {
  gfx::KeyEvent event;
  constexpr std::string_view kControl = "Ctrl+";
  if (keys.size() == 1) {
    event.text = static_cast<unsigned char>(keys.front());
  } else if (keys.size() == kControl.size() + 1 && keys.starts_with(kControl)) {
    event.control = true;
    event.key = gfx::keyOf(keys.back());
  } else {
    constexpr std::array<std::pair<std::string_view, gfx::Key>, 6> kFunctions{
        {{"F5", gfx::Key::f5},
         {"F6", gfx::Key::f6},
         {"F7", gfx::Key::f7},
         {"F8", gfx::Key::f8},
         {"F9", gfx::Key::f9},
         {"F12", gfx::Key::f12}}};
    const auto at =
        std::ranges::find(kFunctions, keys, &std::pair<std::string_view, gfx::Key>::first);
    if (at == kFunctions.end()) return std::nullopt;
    event.key = at->second;
  }
  return event;
}

/// Whether the keys of the group act on the stage.
bool actsOn(KeyGroup group, Stage stage) {
  switch (group) {
    case KeyGroup::plots:
      return stage == Stage::roofline || stage == Stage::live;
    case KeyGroup::cube:
      return stage == Stage::cube;
    case KeyGroup::sweeps:
      return stage == Stage::sweeps;
    case KeyGroup::timeline:
      return stage == Stage::timeline;
    default:
      return true;
  }
}

class Items {
 public:
  explicit Items(const Context& context) : context_(context) {}

  std::vector<PaletteItem> all() {
    kernels();
    featuresOf(PaletteGroup::learning);
    files();
    stages();
    devices();
    featuresOf(PaletteGroup::tuning);
    panels();
    keys();
    tables();
    return std::move(items_);
  }

 private:
  void add(std::string name, std::string aside, std::function<void()> run) {
    items_.push_back({std::move(name), std::move(aside), std::move(run)});
  }
  void addCommand(std::string name, std::string aside, model::Command command) {
    items_.push_back(paletteItem(context_, std::move(name), std::move(aside), std::move(command)));
  }

  void kernels() {
    for (const compile::CatalogueEntry& entry : *context_.snapshot.catalogue) {
      const std::string name = compile::nameOf(entry.source);
      const bool titled = entry.spec && !entry.spec->title.empty();
      add("Kernel: " + model::shortNameOf(name) + (titled ? " · " + entry.spec->title : ""), name,
          [&context = context_, name] { chooseKernel(context, name); });
    }
  }
  void featuresOf(PaletteGroup group) {
    for (const std::unique_ptr<FeaturePanel>& feature : features::panels())
      feature->addItems(group, context_, items_);
  }
  void files() {
    add("Open a file: a CUDA program of yours", "Ctrl+O",
        [&ui = context_.ui] { toggleOpenDialog(ui); });
    featuresOf(PaletteGroup::files);
  }
  void stages() {
    for (size_t i = 0; i < model::kStages; ++i) {
      const auto stage = static_cast<Stage>(i);
      add("Show: " + std::string(nameOf(stage)), std::string(keyOf(stage)),
          [&ui = context_.ui, stage] { ui.stage = stage; });
    }
  }
  void devices() {
    addCommand("Device: automatic", "", model::command("choice.device", "auto"));
    for (const device::DeviceInfo& device : context_.snapshot.devices)
      addCommand("Device: " + model::deviceText(device), device.id,
                 model::command("choice.device", device.id));
  }
  void panels() {
    const auto fold = [&](const char* name, const char* key, Panel panel) {
      add(name, key, [&ui = context_.ui, panel] { togglePanel(ui, panel); });
    };
    fold("Show or fold the controls", "F2", Panel::controls);
    fold("Show or fold source and step", "F3", Panel::source);
    fold("Show or fold the plots and tables", "F4", Panel::measures);
    for (const Theme theme : {Theme::dark, Theme::light, Theme::highContrast})
      add("Theme: " + std::string(nameOf(theme)), "",
          [&ui = context_.ui, theme] { ui.theme = theme; });
    add("Keys", "F1", [&ui = context_.ui] { ui.help = true; });
    add("Undo", "Ctrl+Z", [&session = context_.session] { session.undo(); });
    add("Redo", "Ctrl+Y", [&session = context_.session] { session.redo(); });
  }
  void keys() {
    for (const KeyHelp& help : allKeys()) {
      const std::optional<gfx::KeyEvent> event = eventOf(help.keys);
      if (event && help.keys != kOwnKey && actsOn(help.group, context_.ui.stage))
        add(capitalised(help.what), help.keys, [&context = context_, event = *event] {
          (void)handleKeys({event}, context.session, context.ui, false, false);
        });
    }
  }
  void tables() {
    for (const model::TableKind& kind : context_.snapshot.tables)
      add("Copy or save: " + std::string(kind.name), "Ctrl+S", [&context = context_, id = kind.id] {
        if (!context.ui.save.open) toggleSaveDialog(context.ui, context.snapshot);
        chooseSavedView(context.ui, context.snapshot, id);
      });
  }

  const Context& context_;
  std::vector<PaletteItem> items_;
};

void drawField(PaletteState& palette) {
  std::array<char, 128> text{};
  std::snprintf(text.data(), text.size(), "%s", palette.typed.c_str());
  ImGui::SetNextItemWidth(-1);
  if (palette.opened) ImGui::SetKeyboardFocusHere();
  palette.opened = false;
  if (ImGui::InputTextWithHint("##typed", "a kernel, lesson, lab, view, device or command",
                               text.data(), text.size())) {
    palette.typed = text.data();
    palette.at = 0;
  }
}

/// Whether the item was clicked.
bool drawItem(const Context& context, const PaletteItem& item, bool marked) {
  ImGui::PushID(&item);
  const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  const bool clicked = ImGui::Selectable(item.name.c_str(), marked);
  ImGui::PopID();
  if (marked && context.ui.palette.moved) ImGui::SetScrollHereY();
  const float width = ImGui::CalcTextSize(item.aside.c_str()).x;
  const bool fits = ImGui::CalcTextSize(item.name.c_str()).x + width + 2 * context.em < right;
  if (!item.aside.empty() && fits) {
    ImGui::SameLine(right - width);
    muted(context, item.aside);
  }
  return clicked;
}

}  // namespace

bool matches(const PaletteItem& item, std::string_view typed) {
  const std::string all = lower(item.name + " " + item.aside), wanted = lower(typed);
  for (size_t at = 0; at < wanted.size();) {
    const size_t end = std::min(wanted.find(' ', at), wanted.size());
    if (end > at && all.find(wanted.substr(at, end - at)) == std::string::npos) return false;
    at = end + 1;
  }
  return true;
}

std::vector<PaletteItem> paletteItems(const Context& context) {
  return Items(context).all();
}

void togglePalette(UiState& ui) {
  const bool open = !ui.palette.open;
  ui.palette = {};
  ui.palette.open = ui.palette.opened = open;
}

void drawPalette(const Context& context) {
  PaletteState& palette = context.ui.palette;
  if (!palette.open) return;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float em = context.em, width = std::min(36 * em, 0.96F * screen.x);
  ImGui::SetNextWindowPos({screen.x / 2, 0.12F * screen.y}, ImGuiCond_Always, {0.5F, 0});
  ImGui::SetNextWindowSize({width, std::min(26 * em, 0.8F * screen.y)});
  if (palette.opened) ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::Begin("##palette", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings);
  heading(context, "Find", "Up, Down and Enter choose; Esc closes");
  drawField(palette);
  std::vector<PaletteItem> items = paletteItems(context);
  std::erase_if(items, [&](const PaletteItem& item) { return !matches(item, palette.typed); });
  palette.at = std::clamp(palette.at, 0, std::max(0, static_cast<int>(items.size()) - 1));
  const PaletteItem* run = nullptr;
  ImGui::BeginChild("##items");
  for (size_t i = 0; i < items.size(); ++i)
    if (drawItem(context, items[i], static_cast<int>(i) == palette.at)) run = &items[i];
  if (items.empty()) hint(context, "No item has these words in its name.");
  ImGui::EndChild();
  ImGui::End();
  ImGui::PopStyleVar();
  if (palette.chosen && !items.empty()) run = &items[static_cast<size_t>(palette.at)];
  palette.chosen = palette.moved = false;
  if (run == nullptr) return;
  palette.open = false;
  run->run();
}

}  // namespace tilestep::ui
