// SPDX-License-Identifier: Apache-2.0
#include "features/program/panel.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "base/figure.h"
#include "ui/kit/rich_text.h"
#include "ui/kit/tunable_slider.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

using State = ProgramView::State;

ProgramLook& lookOf(const Context& context, const ProgramView& view) {
  auto& look = context.ui.looks.of<std::shared_ptr<ProgramLook>>();
  if (!look) look = std::make_shared<ProgramLook>();
  if (look->path != view.path) {
    *look = {};
    look->editor.goTo(1);  // The previous file's scroll position does not apply.
    look->path = view.path;
    look->arguments = view.arguments;
  }
  return *look;
}

/// Explains how to open a program.
void drawStart(const Context& context, const ProgramView& view) {
  compat::pushFont(context.fonts.strong, context.fonts.textPixels);
  ImGui::TextUnformatted("Your own program");
  ImGui::PopFont();
  richText(context,
           "Open a CUDA program with a main function. Tilestep compiles it, runs it here without a "
           "GPU, finds faults, and lets you step through each of its kernels.",
           Setting::sentence);
  if (context.ui.readOnly) return;
  ImGui::Dummy({0, 0.3F * context.em});
  if (ImGui::Button("Open a program…")) context.ui.openDialog.wished = true;
  tooltip(context, "Ctrl+O, or drop a file on the window");
  if (view.recent.empty()) return;
  heading(context, "Recent programs");
  for (const std::string& path : view.recent) {
    if (ImGui::Selectable(path.c_str()))
      context.session.apply(model::command("program.open", path));
  }
}

void drawArguments(const Context& context, const ProgramView& view, ProgramLook& look) {
  std::array<char, 1024> text{};
  std::snprintf(text.data(), text.size(), "%s", look.arguments.c_str());
  ImGui::SetNextItemWidth(11 * context.em);
  const bool entered = ImGui::InputTextWithHint("##arguments", "arguments", text.data(),
                                                text.size(), ImGuiInputTextFlags_EnterReturnsTrue);
  look.arguments = text.data();
  tooltip(context, "The program's own arguments, as after its name in a terminal. Enter runs it.");
  if (entered && look.arguments != view.arguments)
    context.session.apply(model::command("program.arguments", look.arguments));
  else if (entered)
    context.session.apply(model::command("program.run"));
}

/// A text field without a label.
bool textField(const char* id, const char* hint, std::string& value, float width,
               ImGuiInputTextFlags flags = 0) {
  std::array<char, 1024> text{};
  std::snprintf(text.data(), text.size(), "%s", value.c_str());
  ImGui::SetNextItemWidth(width);
  const bool entered = ImGui::InputTextWithHint(id, hint, text.data(), text.size(),
                                                flags | ImGuiInputTextFlags_EnterReturnsTrue);
  value = text.data();
  return entered;
}

/// Lists the versions that the user can restore.
void drawMarks(const Context& context, const ProgramView& view, ProgramLook& look) {
  if (ImGui::Button("Versions")) ImGui::OpenPopup("versions");
  tooltip(context,
          "Keeps the text under a name, or restores a kept text. Ctrl+R restores the newest.");
  if (!ImGui::BeginPopup("versions")) return;
  const bool entered =
      textField("##mark", "a name for the present text", look.mark, 14 * context.em);
  ImGui::SameLine();
  if ((ImGui::Button("Keep") || entered) && !look.mark.empty()) {
    context.session.apply(model::command("program.mark", look.mark));
    look.mark.clear();
  }
  for (auto name = view.marks.rbegin(); name != view.marks.rend(); ++name)
    if (ImGui::Selectable(name->c_str()))
      context.session.apply(model::command("program.return_to", *name));
  ImGui::EndPopup();
}

/// Writes the text to another file.
void drawSaveAs(const Context& context, const ProgramView& view, ProgramLook& look) {
  if (ImGui::Button("Save as")) {
    look.saveAs = view.path;
    ImGui::OpenPopup("save as");
  }
  if (!ImGui::BeginPopup("save as")) return;
  const bool entered = textField("##saveas", "a path", look.saveAs, 26 * context.em);
  ImGui::SameLine();
  if (ImGui::Button("Write") || entered) {
    context.session.apply(model::command("program.save_as", look.saveAs));
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
}

/// The byte offsets of the searched string.
std::vector<size_t> placesOf(const std::string& text, const std::string& wanted) {
  std::vector<size_t> places;
  if (wanted.empty()) return places;
  for (size_t at = text.find(wanted); at != std::string::npos;
       at = text.find(wanted, at + wanted.size()))
    places.push_back(at);
  return places;
}

void findNext(ProgramLook& look, const std::vector<size_t>& places) {
  if (places.empty()) return;
  auto next = std::ranges::upper_bound(places, look.foundAt);
  if (next == places.end()) next = places.begin();
  look.foundAt = *next;
  const std::string& text = look.editor.text();
  look.editor.goTo(static_cast<uint32_t>(
      std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(*next), '\n') + 1));
}

void drawSearch(const Context& context, ProgramLook& look) {
  if (std::exchange(context.ui.searchWished, false)) ImGui::SetKeyboardFocusHere();
  const std::string before = look.wanted;
  const bool entered = textField("##search", "find in the text", look.wanted, 9 * context.em);
  tooltip(context, "(Ctrl+F) Enter goes to the next match");
  if (look.wanted != before) look.foundAt = std::string::npos;
  const std::vector<size_t> places = placesOf(look.editor.text(), look.wanted);
  if (entered) {
    findNext(look, places);
    ImGui::SetKeyboardFocusHere(-1);
  }
  if (look.wanted.empty()) return;
  const auto at = std::ranges::find(places, look.foundAt);
  ImGui::SameLine(0, 0.3F * context.em);
  muted(context, places.empty()       ? "none"
                 : at == places.end() ? std::to_string(places.size())
                                      : std::to_string(at - places.begin() + 1) + " of " +
                                            std::to_string(places.size()));
}

void drawHead(const Context& context, const ProgramView& view, ProgramLook& look) {
  compat::pushFont(context.fonts.strong, context.fonts.textPixels);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(view.name.c_str());
  ImGui::PopFont();
  tooltip(context, view.path);
  if (!view.isSaved) {
    ImGui::SameLine(0, 0.4F * context.em);
    muted(context, "changed");
    tooltip(context,
            "The text is not in the file yet. It is kept even if this window closes; Save "
            "(Ctrl+S) writes it to the file.");
  }
  if (context.ui.readOnly) return;
  ImGui::SameLine(0, context.em);
  if (view.state == State::running) {
    if (ImGui::Button("Stop")) context.session.apply(model::command("program.stop"));
  } else {
    if (ImGui::Button("Run")) context.session.apply(model::command("program.run"));
    tooltip(context, "Compiles and runs the program (Ctrl+Enter)");
  }
  ImGui::SameLine();
  drawArguments(context, view, look);
  ImGui::SameLine();
  ImGui::BeginDisabled(view.isSaved);
  if (ImGui::Button("Save")) context.session.apply(model::command("program.save"));
  tooltip(context, "Ctrl+S");
  ImGui::EndDisabled();
  ImGui::SameLine();
  drawSaveAs(context, view, look);
  ImGui::SameLine();
  ImGui::BeginDisabled(view.isSaved);
  if (ImGui::Button("Revert")) context.session.apply(model::command("program.revert"));
  tooltip(context, "Restores the file's text");
  ImGui::EndDisabled();
  ImGui::SameLine();
  drawMarks(context, view, look);
  ImGui::SameLine();
  drawSearch(context, look);
  ImGui::SameLine();
  if (ImGui::Button("Close")) context.session.apply(model::command("program.close"));
}

/// The verdict, with a bar in its colour on the left.
void drawVerdict(const Context& context, const ProgramView& view) {
  const gfx::Palette& p = context.palette;
  const bool hasFaults = view.summary && view.summary->faults() > 0 && view.state == State::ended;
  const bool isWrong = view.state == State::refused || hasFaults;
  const bool isGood =
      view.state == State::ended && !isWrong && view.summary && view.summary->ending.empty();
  const gfx::Color bar = isWrong ? p.warning : isGood ? p.category(2) : p.strongLine;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Indent(0.8F * context.em);
  compat::pushFont(context.fonts.strong, context.fonts.textPixels);
  wrapped(view.verdict);
  ImGui::PopFont();
  if (view.state == State::running) {
    const double seconds = context.now - view.startedAt;
    if (seconds > 3) hint(context, "Running for " + roughly(seconds) + ".");
  } else if (view.summary && view.isOld) {
    hint(context, "The results below are from the previous run.");
  }
  ImGui::Unindent(0.8F * context.em);
  ImGui::GetWindowDrawList()->AddRectFilled(
      at, {at.x + 0.22F * context.em, ImGui::GetItemRectMax().y}, colour(bar));
}

CodeOverlay overlayOf(const Context& context, const ProgramView& view, const ProgramLook& look) {
  CodeOverlay overlay;
  overlay.found = look.wanted;
  if (view.textNotes)
    for (const model::LineNote& note : *view.textNotes)
      overlay.marks.push_back({note.line, note.text});
  const model::TracedStep* step = context.snapshot.main.get();
  if (step != nullptr && step->side->sourceText == *view.text) overlay.running = step->step.lines;
  return overlay;
}

void drawEditor(const Context& context, const ProgramView& view, ProgramLook& look) {
  if (look.editor.draw(context, *view.text, view.textNumber, overlayOf(context, view, look)))
    context.session.apply(model::command("program.edit", look.editor.text()));
}

/// Sliders for the numbers in the text, three on each line.
void drawSliders(const Context& context, const ProgramView& view) {
  if (view.sliders.empty() || context.ui.readOnly) return;
  constexpr size_t kMost = 6;
  const size_t count = std::min(view.sliders.size(), kMost);
  constexpr int kColumns = 3;
  if (!ImGui::BeginTable("sliders", kColumns)) return;
  for (size_t i = 0; i < count; ++i) {
    const compile::TunableSpec& slider = view.sliders[i];
    ImGui::TableNextColumn();
    ImGui::PushID(slider.name.c_str());
    const ImVec2 top = ImGui::GetCursorScreenPos();
    drawTunable(
        context, slider, view.values, &view.tried[i],
        [&](int64_t value) {
          context.session.apply(model::command("program.set", slider.name, value));
        },
        {"makes the program fail", "Shift+drag selects it anyway.", "the program failed there"});
    if (programLook(context.ui))
      programLook(context.ui)->sliders[slider.name] = {
          top.x, top.y, ImGui::GetContentRegionAvail().x, ImGui::GetItemRectMax().y - top.y};
    if (view.trying == slider.name) {
      if (ImGui::SmallButton(("trying, " + std::to_string(view.trialsLeft) + " left").c_str()))
        context.session.apply(model::command("program.try_all", ""));
      tooltip(context, "Stops trying");
    } else if (ImGui::SmallButton("try all values")) {
      context.session.apply(model::command("program.try_all", slider.name));
    }
    if (view.trying != slider.name)
      tooltip(context,
              "Runs the program with each of these values in advance, so that the slider "
              "responds immediately. Values with which the program fails are hatched.");
    ImGui::PopID();
  }
  ImGui::EndTable();
}

/// The findings, the steps and the output, one below another.
void drawRun(const Context& context, const ProgramView& view) {
  const float room = ImGui::GetContentRegionAvail().y;
  const bool hasOutput = !view.output->empty() || view.state == State::running;
  const auto lines = static_cast<float>(std::ranges::count(*view.output, '\n'));
  const float wanted = (lines + 1) * compat::sizeOf(context.fonts.mono) +
                       (view.state == State::running ? 4.2F : 2.2F) * context.em;
  const float console =
      hasOutput ? std::clamp(wanted, 4 * context.em, std::max(5 * context.em, 0.26F * room)) : 0;
  drawSliders(context, view);
  drawVerdict(context, view);
  if (view.summary) {
    drawFindings(context, view);
    const float rest = ImGui::GetContentRegionAvail().y - console -
                       (console > 0 ? ImGui::GetStyle().ItemSpacing.y : 0);
    compat::beginChild("lanes", {0, std::max(rest, 5 * context.em)}, false);
    drawLanes(context, view);
    ImGui::EndChild();
  }
  if (!hasOutput) return;
  compat::beginChild("console", {0, view.summary ? 0 : std::max(console, 8 * context.em)}, false);
  drawConsole(context, view);
  ImGui::EndChild();
}

}  // namespace

void goToLine(const Context& context, uint32_t line) {
  if (programLook(context.ui) && line > 0) programLook(context.ui)->editor.goTo(line);
}

void drawProgram(const Context& context) {
  const auto& view = context.snapshot.view<ProgramView>();
  if (view.path.empty() || !view.text) return drawStart(context, view);
  ProgramLook& look = lookOf(context, view);
  drawHead(context, view, look);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const bool beside = room.x >= 52 * context.em;
  const float gap = 0.8F * context.em;
  const ImVec2 first = beside ? ImVec2(0.52F * room.x, 0) : ImVec2(0, 0.45F * room.y);
  compat::beginChild("text", first, false);
  drawEditor(context, view, look);
  ImGui::EndChild();
  if (beside) ImGui::SameLine(0, gap);
  compat::beginChild("run", {0, 0}, false);
  drawRun(context, view);
  ImGui::EndChild();
}

}  // namespace tilestep::features
