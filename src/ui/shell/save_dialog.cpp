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

constexpr std::array<const char*, 7> kKinds{".csv",  ".txt",  ".png", ".svg",
                                            ".json", ".html", ".html"};
constexpr std::array<const char*, 7> kKindNames{"CSV table",
                                                "text",
                                                "picture (PNG)",
                                                "drawing (SVG)",
                                                "JSON",
                                                "full report (HTML)",
                                                "web page of the steps (HTML)"};
constexpr size_t kPicture = 2, kDrawing = 3, kReport = 5, kPage = 6;

std::string written(std::string_view view, const model::Table& table, size_t kind) {
  if (kind == 0) return model::csvOf(table);
  return kind == 1 ? model::textOf(table) : model::jsonOf(view, table);
}

/// By the extension; kKinds.size() where there is no such kind.
size_t kindOf(const SaveDialog& dialog) {
  const auto found = std::ranges::find(kKinds, fs::path(dialog.path).extension().string(),
                                       [](const char* kind) { return std::string(kind); });
  const auto kind = static_cast<size_t>(found - kKinds.begin());
  return kind == kReport && dialog.page ? kPage : kind;
}

/// Adapts the file name to the view and the kind. If it was typed, only its extension changes.
void rename(SaveDialog& dialog, size_t kind) {
  const std::string extension = kKinds[kind];
  dialog.page = kind == kPage;
  dialog.asked.clear();
  dialog.trouble.clear();
  dialog.opened = true;
  ++dialog.renamed;
  fs::path path = dialog.path;
  if (dialog.typed) {
    dialog.path = path.replace_extension(extension).string();
    return;
  }
  // These two cover all views, or all steps.
  const std::string name = kind == kReport ? "report" : kind == kPage ? "steps" : dialog.view;
  dialog.path = freeName(name, extension).string();
}

std::string nothingThere(const std::string& name) {
  return "There is nothing to save of \"" + name + "\" at this step.";
}

model::Table tableNow(const UiState& ui, const model::Session& session) {
  return tableOf(ui.save.view, *session.snapshot(), {ui.wholeGrid, ui.companionSource});
}

/// Returns why nothing was written; empty: the table was written.
std::string writeTable(UiState& ui, model::Session& session, size_t kind) {
  const model::Table table = tableNow(ui, session);
  if (table.rows.empty()) return nothingThere(nameOfTable(ui.save.view, *session.snapshot()));
  const Status kept = writeFileAtomically(ui.save.path, written(ui.save.view, table, kind));
  if (!kept)
    return kept.error().message + ". Name a folder that you may write to and that has room.";
  session.say(
      {model::Notice::Kind::info,
       "picture",
       "Saved as " + savedPlace(ui.save.path) + "." +
           (table.cut ? " Only its first " + std::to_string(model::kMostRows) + " rows." : ""),
       {},
       {}});
  return {};
}

std::string wishPicture(UiState& ui, const model::Session& session) {
  const gfx::Box box = ui.boxOf(ui.save.view);
  if (box.width <= 0 || box.height <= 0)
    return "\"" + nameOfTable(ui.save.view, *session.snapshot()) +
           "\" is not on screen: show its panel first (F2, F3, F4; W, G and V change what is in "
           "it).";
  ui.picture = PictureWish{ui.save.path, box, nameOfTable(ui.save.view, *session.snapshot())};
  return {};
}

void drawViews(const Context& context) {
  SaveDialog& dialog = context.ui.save;
  for (const model::TableKind& kind : context.snapshot.tables)
    if (ImGui::RadioButton(std::string(kind.name).c_str(), dialog.view == kind.id))
      chooseSavedView(context.ui, kind.id);
}

void drawKinds(const Context& context) {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  for (size_t i = 0; i < kKinds.size(); ++i) {
    if (i > 0) sameLineIfRoom(kKindNames[i], right);
    if (toggle(context, kKindNames[i], kindOf(context.ui.save) == i)) rename(context.ui.save, i);
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
  const size_t kind = kindOf(dialog);
  rename(dialog, kind < kKinds.size() ? kind : 0);
}

void stepSavedView(UiState& ui, const model::Snapshot& now, int by) {
  const auto& kinds = now.tables;
  const auto at = std::ranges::find(kinds, ui.save.view, &model::TableKind::id);
  if (at == kinds.end()) return;
  const auto count = static_cast<int>(kinds.size());
  const int next = (static_cast<int>(at - kinds.begin()) + by + count) % count;
  chooseSavedView(ui, kinds[static_cast<size_t>(next)].id);
}

void chooseSavedView(UiState& ui, std::string_view view) {
  ui.save.view = view;
  const size_t kind = kindOf(ui.save);
  if (!ui.save.typed) rename(ui.save, kind < kKinds.size() ? kind : 0);
}

void nextFileKind(UiState& ui) {
  rename(ui.save, (kindOf(ui.save) + 1) % kKinds.size());
}

void copyView(UiState& ui, model::Session& session) {
  const model::Table table = tableNow(ui, session);
  if (!table.rows.empty()) ImGui::SetClipboardText(model::textOf(table).c_str());
  session.say({model::Notice::Kind::info,
               "picture",
               table.rows.empty()
                   ? nothingThere(nameOfTable(ui.save.view, *session.snapshot()))
                   : "Copied as text: " + nameOfTable(ui.save.view, *session.snapshot()) + ", " +
                         std::to_string(table.rows.size()) +
                         " rows. Ctrl+S copies or saves other views.",
               {},
               {}});
}

void saveView(UiState& ui, model::Session& session) {
  SaveDialog& dialog = ui.save;
  const size_t kind = kindOf(dialog);
  std::error_code failed;
  if (kind >= kKinds.size()) {
    dialog.trouble =
        "The name must end in .csv, .txt, .png, .svg, .json or .html: the ending says what is "
        "written.";
    return;
  }
  if (fs::exists(dialog.path, failed) && dialog.asked != dialog.path) {
    dialog.asked = dialog.path;
    dialog.trouble = "There is such a file already. Save once more to replace it.";
    return;
  }
  const bool picture = kind == kPicture || kind == kDrawing;
  if (kind == kReport)
    ui.report = dialog.path;
  else if (kind == kPage)
    ui.page = dialog.path;
  else
    dialog.trouble = picture ? wishPicture(ui, session) : writeTable(ui, session, kind);
  dialog.open = !dialog.trouble.empty();
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
