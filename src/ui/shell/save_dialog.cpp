// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/save_dialog.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/files.h"
#include "ui/kit/widgets.h"

namespace tilestep::ui {
namespace {

namespace fs = std::filesystem;
using model::ViewKind;

constexpr std::array<const char*, 5> kKinds{".csv", ".txt", ".png", ".json", ".html"};
constexpr std::array<const char*, 5> kKindNames{"CSV table", "text", "picture (PNG)", "JSON",
                                                "report of all (HTML)"};
constexpr size_t kPicture = 2, kReport = 4;

std::string written(ViewKind view, const model::TableExport& twin, size_t kind) {
  if (kind == 0) return model::csvOf(twin);
  return kind == 1 ? model::textOf(twin) : model::jsonOf(view, twin);
}

size_t kindOf(const std::string& path) {
  const auto found = std::ranges::find(kKinds, fs::path(path).extension().string());
  return found == kKinds.end() ? kKinds.size() : static_cast<size_t>(found - kKinds.begin());
}

/// The name that goes with view and kind, in the folder of the present one.
void rename(SaveDialog& dialog, const std::string& extension) {
  dialog.asked.clear();
  dialog.trouble.clear();
  dialog.opened = true;
  ++dialog.renamed;
  fs::path path = dialog.path;
  if (dialog.typed) {
    dialog.path = path.replace_extension(extension).string();
    return;
  }
  const bool report = extension == kKinds[kReport];  // Of all views.
  dialog.path = freeName(report ? "report" : shortNameOf(dialog.view), extension).string();
}

std::string nothingThere(ViewKind view) {
  return "There is nothing to save of \"" + std::string(nameOf(view)) + "\" at this step.";
}

model::TableExport twinNow(const UiState& ui, const model::Session& session) {
  return twinOf(ui.save.view, *session.snapshot(), ui.wholeGrid, ui.companionSource);
}

/// Empty, or why nothing was written.
std::string writeTable(UiState& ui, model::Session& session, size_t kind) {
  const model::TableExport twin = twinNow(ui, session);
  if (twin.rows.empty()) return nothingThere(ui.save.view);
  const Status kept = writeFileAtomically(ui.save.path, written(ui.save.view, twin, kind));
  if (!kept)
    return kept.error().message + ". Name a folder that you may write to and that has room.";
  session.say(
      {model::Notice::Kind::info,
       "picture",
       "Saved as " + savedPlace(ui.save.path) + "." +
           (twin.cut ? " Only its first " + std::to_string(model::kMostRows) + " rows." : ""),
       {},
       {}});
  return {};
}

std::string wishPicture(UiState& ui) {
  const gfx::Box box = boxOf(ui, ui.save.view);
  if (box.width <= 0 || box.height <= 0)
    return "\"" + std::string(nameOf(ui.save.view)) +
           "\" is not on screen: show its panel first (F2, F3, F4; W, G and V change what is in "
           "it).";
  ui.picture = PictureWish{ui.save.path, box};
  return {};
}

void drawViews(const Context& context) {
  SaveDialog& dialog = context.ui.save;
  for (size_t i = 0; i < model::kViews; ++i) {
    const auto view = static_cast<ViewKind>(i);
    if (ImGui::RadioButton(nameOf(view), dialog.view == view))
      stepSavedView(context.ui, static_cast<int>(i) - static_cast<int>(dialog.view));
  }
}

void drawKinds(const Context& context) {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  for (size_t i = 0; i < kKinds.size(); ++i) {
    if (i > 0) sameLineIfRoom(kKindNames[i], right);
    if (toggle(context, kKindNames[i], kindOf(context.ui.save.path) == i))
      rename(context.ui.save, kKinds[i]);
  }
}

void drawPath(const Context& context) {
  SaveDialog& dialog = context.ui.save;
  std::array<char, 1024> text{};
  std::snprintf(text.data(), text.size(), "%s", dialog.path.c_str());
  ImGui::SetNextItemWidth(-1);
  if (dialog.opened) ImGui::SetKeyboardFocusHere();
  dialog.opened = false;
  ImGui::PushID(dialog.renamed);
  if (ImGui::InputText("##path", text.data(), text.size()) && dialog.path != text.data()) {
    dialog.path = text.data();
    dialog.typed = true;
    dialog.asked.clear();
  }
  ImGui::PopID();
  if (!dialog.trouble.empty()) warning(context, dialog.trouble);
}

void drawButtons(const Context& context) {
  if (ImGui::Button("Save")) saveView(context.ui, context.session);
  tooltip(context, "Enter");
  ImGui::SameLine();
  if (ImGui::Button("Copy as text")) copyView(context.ui, context.session);
  tooltip(context, "Ctrl+C");
  ImGui::SameLine();
  if (ImGui::Button("Close")) context.ui.save.open = false;
  tooltip(context, "Esc");
  hint(context, "Up and Down choose the view, Ctrl+K the kind, Enter saves, Esc closes.");
}

}  // namespace

std::string savedPlace(const fs::path& path) {
  std::error_code failed;
  const fs::path start = fs::current_path(failed);
  const fs::path inside = path.is_relative() ? path : path.lexically_relative(start);
  const bool outside = failed || inside.empty() || *inside.begin() == "..";
  return outside ? path.string() : inside.string() + ", in the folder that Tilestep was started in";
}

fs::path freeName(const std::string& what, const std::string& extension) {
  for (int i = 1;; ++i) {
    fs::path path = "tilestep-" + what + (what.empty() ? "" : "-") + std::to_string(i) + extension;
    std::error_code error;
    if (!fs::exists(path, error)) return path;
  }
}

void toggleSaveDialog(UiState& ui) {
  SaveDialog& dialog = ui.save;
  dialog.open = !dialog.open;
  if (!dialog.open) return;
  dialog.opened = true;
  dialog.typed = false;
  const size_t kind = kindOf(dialog.path);
  rename(dialog, kKinds[kind < kKinds.size() ? kind : 0]);
}

void stepSavedView(UiState& ui, int by) {
  constexpr int kCount = model::kViews;
  ui.save.view = static_cast<ViewKind>((static_cast<int>(ui.save.view) + by + kCount) % kCount);
  const size_t kind = kindOf(ui.save.path);
  if (!ui.save.typed) rename(ui.save, kKinds[kind < kKinds.size() ? kind : 0]);
}

void nextFileKind(UiState& ui) {
  rename(ui.save, kKinds[(kindOf(ui.save.path) + 1) % kKinds.size()]);
}

void copyView(UiState& ui, model::Session& session) {
  const model::TableExport twin = twinNow(ui, session);
  if (!twin.rows.empty()) ImGui::SetClipboardText(model::textOf(twin).c_str());
  session.say({model::Notice::Kind::info,
               "picture",
               twin.rows.empty() ? nothingThere(ui.save.view)
                                 : "Copied as text: " + std::string(nameOf(ui.save.view)) + ", " +
                                       std::to_string(twin.rows.size()) +
                                       " rows. Ctrl+S copies or saves other views.",
               {},
               {}});
}

void saveView(UiState& ui, model::Session& session) {
  SaveDialog& dialog = ui.save;
  const size_t kind = kindOf(dialog.path);
  std::error_code failed;
  if (kind >= kKinds.size()) {
    dialog.trouble =
        "End the name with .csv, .txt, .png, .json or .html: that says what is written.";
    return;
  }
  if (fs::exists(dialog.path, failed) && dialog.asked != dialog.path) {
    dialog.asked = dialog.path;
    dialog.trouble = "There is such a file already. Save once more to replace it.";
    return;
  }
  if (kind == kReport)
    ui.report = dialog.path;
  else
    dialog.trouble = kind == kPicture ? wishPicture(ui) : writeTable(ui, session, kind);
  dialog.open = !dialog.trouble.empty();
}

gfx::Box boxOf(const UiState& ui, ViewKind view) {
  return ui.viewBoxes[static_cast<size_t>(view)];
}

void drawSaveDialog(const Context& context) {
  if (!context.ui.save.open) return;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float em = context.em, width = std::min(36 * em, 0.96F * screen.x);
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, 0.96F * screen.y});
  if (context.ui.save.opened) ImGui::SetNextWindowFocus();
  const ImGuiWindowFlags flags = (context.ui.save.tall ? 0 : ImGuiWindowFlags_NoScrollbar) |
                                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                 ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse |
                                 ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::Begin("##save", nullptr, flags);
  heading(context, "Copy or save a view");
  drawViews(context);
  drawKinds(context);
  drawPath(context);
  drawButtons(context);
  context.ui.save.tall = ImGui::GetScrollMaxY() > 0.5F * em;
  ImGui::End();
  ImGui::PopStyleVar();
}

}  // namespace tilestep::ui
