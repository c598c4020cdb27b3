// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/open_dialog.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <utility>

#include "ui/kit/widgets.h"
#include "ui/shell/open_choice.h"

namespace tilestep::ui {
namespace {

namespace fs = std::filesystem;

std::string folderNow() {
  std::error_code failed;
  const fs::path folder = fs::current_path(failed);
  return failed ? "/" : folder.string();
}

void enter(OpenDialog& dialog, const fs::path& folder) {
  dialog.folder = folder.lexically_normal().string();
  dialog.entries = entriesOf(dialog.folder);
  dialog.path.clear();
  dialog.trouble.clear();
  dialog.at = 0;
  dialog.chosen = false;
  dialog.opened = true;
}

/// The programs listed above the folder's entries: the most recently opened ones.
std::vector<std::string> recentOf(const Context& context) {
  constexpr size_t kMost = 5;
  std::vector<std::string> recent = context.snapshot.shown.recentPrograms;
  recent.resize(std::min(recent.size(), kMost));
  return recent;
}

void choose(const Context& context, const fs::path& path) {
  OpenDialog& dialog = context.ui.openDialog;
  if (path.empty()) return;
  std::error_code failed;
  if (fs::is_directory(path, failed)) {
    enter(dialog, path);
    dialog.at = static_cast<int>(recentOf(context).size());  // The folder's first row.
    return;
  }
  if (!fs::is_regular_file(path, failed)) {
    dialog.trouble = "There is no file " + path.string() + ".";
    dialog.opened = true;  // Keeps the keyboard in the field.
    return;
  }
  if (!context.session.apply(model::command("program.open", path.string()))) {
    dialog.trouble = "This file cannot be read.";
    return;
  }
  dialog.open = false;
}

/// Collects text typed before the field has the keyboard.
void takeEarlyText(OpenDialog& dialog) {
  for (const ImWchar sign : ImGui::GetIO().InputQueueCharacters) {
    char text[5]{};
    ImTextCharToUtf8(text, sign);
    if (sign >= ' ' && sign != 0x7F) dialog.path += text;
  }
}

/// Keeps the early text: on activation the field selects it, and further typing would replace it.
int keepEarlyText(ImGuiInputTextCallbackData* data) {
  auto& dialog = *static_cast<OpenDialog*>(data->UserData);
  if (!std::exchange(dialog.isFresh, false)) return 0;
  const std::string_view now(data->Buf, static_cast<size_t>(data->BufTextLen));
  if (!now.starts_with(dialog.path)) data->InsertChars(0, dialog.path.c_str());
  data->SelectionStart = data->SelectionEnd = data->CursorPos = data->BufTextLen;
  return 0;
}

void drawPath(const Context& context) {
  OpenDialog& dialog = context.ui.openDialog;
  std::array<char, 2048> text{};
  std::snprintf(text.data(), text.size(), "%s", dialog.path.c_str());
  ImGui::SetNextItemWidth(-1);
  if (std::exchange(dialog.opened, false)) {
    ImGui::SetKeyboardFocusHere();
    dialog.isFresh = true;
  }
  if (ImGui::InputTextWithHint("##path", "a path, or choose below", text.data(), text.size(),
                               ImGuiInputTextFlags_CallbackAlways, keepEarlyText, &dialog)) {
    dialog.path = text.data();
    dialog.trouble.clear();
  }
  if (!ImGui::IsItemActive()) takeEarlyText(dialog);
}

/// A file's name on the left, followed by its folder in muted text.
bool drawFile(const Context& context, const std::string& path, int number, bool marked) {
  const fs::path file = path;
  ImGui::PushID(number);
  const bool chosen = ImGui::Selectable(file.filename().c_str(), marked);
  ImGui::PopID();
  ImGui::SameLine(13 * context.em);
  muted(context, cutTo(file.parent_path().string(), ImGui::GetContentRegionAvail().x));
  return chosen;
}

/// `marked` is the file or folder that Enter opens.
void drawRecent(const Context& context, const std::vector<std::string>& recent,
                const fs::path& marked) {
  if (recent.empty()) return;
  heading(context, "Recent programs");
  for (size_t i = 0; i < recent.size(); ++i)
    if (drawFile(context, recent[i], static_cast<int>(i), recent[i] == marked))
      choose(context, recent[i]);
}

void drawFolder(const Context& context, const fs::path& marked) {
  OpenDialog& dialog = context.ui.openDialog;
  // A copy, because choosing an entry replaces them.
  const std::vector<std::string> entries = dialog.entries;
  heading(context, cutTo(dialog.folder, 30 * context.em).c_str());
  const float room = ImGui::GetIO().DisplaySize.y;
  compat::beginChild("files", {0, std::min(18 * context.em, 0.45F * room)}, false);
  for (const std::string& entry : entries) {
    const fs::path path = fs::path(dialog.folder) / entry;
    const bool isMarked = path == marked || path == marked / "";
    if (ImGui::Selectable(entry.c_str(), isMarked)) choose(context, path);
    if (isMarked && (dialog.moved || !dialog.path.empty())) ImGui::SetScrollHereY();
  }
  dialog.moved = false;
  if (entries.size() <= 1) hint(context, "There are no .cu files in this folder.");
  ImGui::EndChild();
}

}  // namespace

void toggleOpenDialog(UiState& ui) {
  OpenDialog& dialog = ui.openDialog;
  dialog.open = !dialog.open;
  if (!dialog.open) return;
  enter(dialog, dialog.folder.empty() ? folderNow() : dialog.folder);
}

void stepOpenDialog(UiState& ui, int by) {
  ui.openDialog.path.clear();
  ui.openDialog.trouble.clear();
  ui.openDialog.at = std::max(0, ui.openDialog.at + by);
  ui.openDialog.moved = true;
}

void takeOpenDialog(UiState& ui) {
  ui.openDialog.chosen = true;
}

void drawOpenDialog(const Context& context) {
  OpenDialog& dialog = context.ui.openDialog;
  if (std::exchange(dialog.wished, false) && !dialog.open) toggleOpenDialog(context.ui);
  if (!dialog.open) return;
  const std::vector<std::string> recent = recentOf(context);
  const auto last = static_cast<int>(recent.size() + dialog.entries.size()) - 1;
  dialog.at = std::clamp(dialog.at, 0, std::max(0, last));
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float width = std::min(36 * context.em, 0.96F * screen.x);
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, 0.96F * screen.y});
  if (dialog.opened) ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::Begin("##open", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                   ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings);
  compat::pushFont(context.fonts.strong, context.fonts.textPixels);
  ImGui::TextUnformatted("Open a CUDA program");
  ImGui::PopFont();
  drawPath(context);
  if (!dialog.trouble.empty()) warning(context, dialog.trouble);
  const fs::path marked = chosenFile(dialog, recent);
  // Enter applies to everything typed before it.
  if (dialog.chosen && !compat::hasPendingInput()) {
    dialog.chosen = false;
    choose(context, marked);
  }
  const bool isRecent = dialog.path.empty() && static_cast<size_t>(dialog.at) < recent.size();
  drawRecent(context, recent, isRecent ? marked : fs::path());
  drawFolder(context, isRecent ? fs::path() : marked);
  if (ImGui::Button("Open")) choose(context, marked);
  ImGui::SameLine();
  if (ImGui::Button("Close")) dialog.open = false;
  hint(context,
       "Up and Down choose a file, Enter opens it, Esc closes. A file can also be dropped "
       "on the window.");
  ImGui::End();
  ImGui::PopStyleVar();
}

}  // namespace tilestep::ui
