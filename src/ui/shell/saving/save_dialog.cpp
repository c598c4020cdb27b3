// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/saving/save_dialog.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

#include "base/sentence.h"
#include "ui/kit/user_files.h"
#include "ui/kit/widgets.h"
#include "ui/shell/saving/save_kinds.h"
#include "ui/shell/saving/view_content.h"
#include "ui/shell/saving/view_words.h"

namespace tilestep::ui {
namespace {

constexpr float kHeightOfScreen = 0.96F;

namespace fs = std::filesystem;

std::string written(std::string_view view, const model::Table& table, SaveAs as) {
  if (as == SaveAs::csv) return model::csvOf(table);
  return as == SaveAs::text ? model::textOf(table) : model::jsonOf(view, table);
}

/// The kind that the path's extension denotes, if any.
std::optional<SaveAs> kindOf(const SaveDialog& dialog) {
  return kindFor(fs::path(dialog.path).extension().string(), dialog.as);
}

bool isTable(SaveAs as) {
  return kindOf(as).group == SaveGroup::table;
}

/// The part of the file name that describes the content.
std::string stemOf(const SaveDialog& dialog, const model::Snapshot& now) {
  const SaveGroup group = kindOf(dialog.as).group;
  if (group == SaveGroup::window) return "report";
  std::string stem = fileStemOf(group == SaveGroup::steps ? "steps" : dialog.view, now);
  if (isDrawn(dialog.as) && dialog.print) stem += "-print";
  return dialog.as == SaveAs::doublePng ? stem + "-2x" : stem;
}

std::string withExtension(fs::path typed, const std::string& extension) {
  if (isEnding(typed.extension().string())) typed.replace_extension();
  return typed.string() + extension;
}

/// Adapts the file name to the view and the kind. A typed name changes only in its extension.
void rename(SaveDialog& dialog, const model::Snapshot& now) {
  const std::string extension(kindOf(dialog.as).extension);
  dialog.asked.clear();
  dialog.trouble.clear();
  dialog.opened = true;
  ++dialog.renamed;
  dialog.path = dialog.typed ? withExtension(dialog.path, extension)
                             : freeName(stemOf(dialog, now), extension).string();
}

// --- The list: the view in front as a picture, its table, and all other tables ------------------

struct DialogRow {
  std::string_view view;
  bool picture = false;
};

std::vector<DialogRow> rowsOf(const SaveDialog& dialog, const model::Snapshot& now) {
  std::vector<DialogRow> rows{{dialog.front, true}, {dialog.front, false}};
  for (const model::TableKind& kind : now.tables)
    if (kind.id != dialog.front) rows.push_back({kind.id, false});
  return rows;
}

bool isChosen(const SaveDialog& dialog, const DialogRow& row) {
  const SaveGroup group = kindOf(dialog.as).group;
  if (row.view != dialog.view || group == SaveGroup::steps || group == SaveGroup::window)
    return false;
  return row.view != dialog.front || row.picture == (group == SaveGroup::picture);
}

void choose(SaveDialog& dialog, const DialogRow& row, const model::Snapshot& now) {
  dialog.view = row.view;
  if (row.picture != (kindOf(dialog.as).group == SaveGroup::picture) ||
      (!row.picture && !isTable(dialog.as)))
    dialog.as = row.picture ? SaveAs::png : SaveAs::csv;
  rename(dialog, now);
}

std::string nothingToSave(const std::string& name) {
  return "\"" + name + "\" has nothing to save at this step.";
}

model::Table tableNow(const UiState& ui, const model::Session& session) {
  return tableOf(ui.save.view, *session.snapshot(), {ui.wholeGrid, ui.companionSource});
}

/// Returns an error message; empty if the table was written.
std::string writeTable(UiState& ui, model::Session& session, SaveAs as) {
  const model::Table table = tableNow(ui, session);
  if (table.rows.empty()) return nothingToSave(nameOfTable(ui.save.view, *session.snapshot()));
  const Status kept = writeSaved(ui.save.path, written(ui.save.view, table, as));
  if (!kept) return asSentence(kept.error().message);
  session.say(
      {model::Notice::Kind::info,
       "picture",
       "Saved as " + savedPlace(ui.save.path) + "." +
           (table.cut ? " Only its first " + std::to_string(model::kMostRows) + " rows." : ""),
       {},
       {}});
  return {};
}

/// Returns an error message; empty if the file will be saved after the next frame.
std::string wish(UiState& ui, const model::Session& session, SaveAs as) {
  const SaveDialog& dialog = ui.save;
  if (kindOf(as).group == SaveGroup::picture) {
    const std::string name = nameOfTable(dialog.view, *session.snapshot());
    if (!ViewContent::hasPicture(dialog.view))
      return "\"" + name + "\" is only a table: its file name must end in .csv, .txt or .json.";
    if (tableNow(ui, session).rows.empty()) return nothingToSave(name);
  }
  ui.wish = SaveWish{as, dialog.path, dialog.view, dialog.print && isDrawn(as)};
  return {};
}

void drawRow(const Context& context, const DialogRow& row, const std::string& label) {
  SaveDialog& dialog = context.ui.save;
  if (ImGui::RadioButton(label.c_str(), isChosen(dialog, row)))
    choose(dialog, row, context.snapshot);
  if (isChosen(dialog, row) && std::exchange(dialog.moved, false)) ImGui::SetScrollHereY();
}

void drawViews(const Context& context) {
  const std::vector<DialogRow> rows = rowsOf(context.ui.save, context.snapshot);
  const std::string front = nameOfTable(context.ui.save.front, context.snapshot);
  heading(context, ("On screen: " + front).c_str());
  drawRow(context, rows[0], "a picture of it");
  drawRow(context, rows[1], "its table");
  heading(context, "Other tables");
  // In a low window the list scrolls, so that the file's name stays visible.
  const float line = ImGui::GetFrameHeightWithSpacing();
  const float lines = std::ceil(static_cast<float>(rows.size() - 2) / 2) * line;
  const float room = kHeightOfScreen * ImGui::GetIO().DisplaySize.y - ImGui::GetCursorPosY() -
                     context.ui.save.below;
  compat::beginChild("others", {0, std::clamp(room, 3 * line, lines)}, false);
  if (ImGui::BeginTable("others", 2)) {
    for (size_t i = 2; i < rows.size(); ++i) {
      ImGui::TableNextColumn();
      drawRow(context, rows[i], nameOfTable(rows[i].view, context.snapshot));
    }
    ImGui::EndTable();
  }
  ImGui::EndChild();
}

void drawKinds(const Context& context) {
  struct Group {
    SaveGroup group;
    const char* name;
  };
  constexpr std::array<Group, 4> kGroups{{{SaveGroup::picture, "A picture"},
                                          {SaveGroup::table, "A table"},
                                          {SaveGroup::steps, "All steps"},
                                          {SaveGroup::window, "All panels"}}};
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  const std::optional<SaveAs> chosen = kindOf(context.ui.save);
  for (const Group& group : kGroups) {
    ImGui::AlignTextToFramePadding();
    muted(context, group.name);
    ImGui::SameLine(6 * context.em);
    bool first = true;
    for (const SaveKind& kind : kSaveKinds) {
      if (kind.group != group.group) continue;
      if (!std::exchange(first, false)) sameLineIfRoom(kind.name, right);
      if (toggle(context, kind.name, chosen == kind.as))
        chooseFileKind(context.ui, context.snapshot, kind.as);
    }
  }
  bool print = context.ui.save.print;
  ImGui::BeginDisabled(!isDrawn(context.ui.save.as));
  if (ImGui::Checkbox("colours for paper", &print))
    togglePrintColours(context.ui, context.snapshot);
  ImGui::EndDisabled();
  tooltip(context, "Dark on white, and distinct in grey (Ctrl+P)");
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

void drawDialogButtons(const Context& context) {
  if (ImGui::Button("Save")) saveView(context.ui, context.session);
  tooltip(context, "Enter");
  ImGui::SameLine();
  if (ImGui::Button("Copy as text")) copyView(context.ui, context.session);
  tooltip(context, "Ctrl+C");
  ImGui::SameLine();
  if (ImGui::Button("Close")) context.ui.save.open = false;
  tooltip(context, "Esc");
  hint(
      context,
      "Up and Down choose the view, Ctrl+K the kind, Ctrl+P the colours, Enter saves, Esc closes.");
}

}  // namespace

fs::path freeName(const std::string& what, const std::string& extension) {
  for (int i = 1;; ++i) {
    fs::path path = "tilestep-" + what + (what.empty() ? "" : "-") + std::to_string(i) + extension;
    std::error_code error;
    if (!fs::exists(path, error)) return path;
  }
}

void toggleSaveDialog(UiState& ui, const model::Snapshot& now) {
  SaveDialog& dialog = ui.save;
  dialog.open = !dialog.open;
  if (!dialog.open) return;
  dialog.typed = false;
  dialog.front = viewInFront(ui, now);
  choose(dialog, {dialog.front, true}, now);
}

void stepSavedView(UiState& ui, const model::Snapshot& now, int by) {
  const std::vector<DialogRow> rows = rowsOf(ui.save, now);
  const auto at =
      std::ranges::find_if(rows, [&](const DialogRow& row) { return isChosen(ui.save, row); });
  const auto count = static_cast<int>(rows.size());
  const int next =
      at == rows.end() ? 0 : (static_cast<int>(at - rows.begin()) + by + count) % count;
  choose(ui.save, rows[static_cast<size_t>(next)], now);
  ui.save.moved = true;
}

void chooseSavedView(UiState& ui, const model::Snapshot& now, std::string_view view) {
  choose(ui.save, {view, view == ui.save.front}, now);
}

void chooseFileKind(UiState& ui, const model::Snapshot& now, SaveAs as) {
  ui.save.as = as;
  rename(ui.save, now);
}

void nextFileKind(UiState& ui, const model::Snapshot& now) {
  const auto* at =
      std::ranges::find(kSaveKinds, kindOf(ui.save).value_or(ui.save.as), &SaveKind::as);
  const size_t next = static_cast<size_t>(at - kSaveKinds.begin()) + 1;
  chooseFileKind(ui, now, kSaveKinds[next % kSaveKinds.size()].as);
}

void togglePrintColours(UiState& ui, const model::Snapshot& now) {
  ui.save.print = !ui.save.print;
  rename(ui.save, now);
}

void copyView(UiState& ui, model::Session& session) {
  const model::Table table = tableNow(ui, session);
  if (!table.rows.empty()) ImGui::SetClipboardText(model::textOf(table).c_str());
  session.say({model::Notice::Kind::info,
               "picture",
               table.rows.empty()
                   ? nothingToSave(nameOfTable(ui.save.view, *session.snapshot()))
                   : "Copied as text: " + nameOfTable(ui.save.view, *session.snapshot()) + ", " +
                         std::to_string(table.rows.size()) +
                         " rows. Ctrl+S copies or saves other views.",
               {},
               {}});
}

void saveView(UiState& ui, model::Session& session) {
  SaveDialog& dialog = ui.save;
  const std::optional<SaveAs> as = kindOf(dialog);
  std::error_code failed;
  if (!as) {
    dialog.trouble =
        "The name must end in .png, .svg, .pdf, .csv, .txt, .json or .html: the ending "
        "determines the format.";
    return;
  }
  const bool there = fs::exists(dialog.path, failed);
  if (there && kindOf(*as).extension.empty()) {
    dialog.trouble = "This folder already exists. Pictures of steps need a new folder.";
    return;
  }
  if (there && dialog.asked != dialog.path) {
    dialog.asked = dialog.path;
    dialog.trouble = "This file already exists. Save again to replace it.";
    return;
  }
  dialog.trouble = isTable(*as) ? writeTable(ui, session, *as) : wish(ui, session, *as);
  dialog.open = !dialog.trouble.empty();
}

void drawSaveDialog(const Context& context) {
  if (!context.ui.save.open) return;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float em = context.em, width = std::min(36 * em, 0.96F * screen.x);
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, kHeightOfScreen * screen.y});
  if (context.ui.save.opened) ImGui::SetNextWindowFocus();
  const ImGuiWindowFlags flags = (context.ui.save.tall ? 0 : ImGuiWindowFlags_NoScrollbar) |
                                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                 ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse |
                                 ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::Begin("##save", nullptr, flags);
  drawViews(context);
  const float above = ImGui::GetCursorPosY();
  drawKinds(context);
  drawPath(context);
  drawDialogButtons(context);
  context.ui.save.below = ImGui::GetCursorPosY() - above + 2 * ImGui::GetStyle().WindowPadding.y;
  context.ui.save.tall = ImGui::GetScrollMaxY() > 0.5F * em;
  ImGui::End();
  ImGui::PopStyleVar();
}

}  // namespace tilestep::ui
