// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>
#include <string_view>

#include "base/printable.h"
#include "features/program/panel.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

/// Draws only the visible lines.
void drawOutput(const Context& context, const std::string& text) {
  compat::pushFont(context.fonts.mono, compat::sizeOf(context.fonts.mono));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  const bool wasAtEnd = ImGui::GetScrollY() >= ImGui::GetScrollMaxY() - 1;
  std::vector<std::string_view> lines;
  for (std::string_view rest = text; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    lines.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(lines.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const std::string line = printableLine(lines[static_cast<size_t>(i)]);
      ImGui::TextUnformatted(line.c_str());
    }
  clipper.End();
  if (wasAtEnd) ImGui::SetScrollHereY(1);
  ImGui::PopStyleVar();
  ImGui::PopFont();
}

void drawInput(const Context& context, ProgramLook& look) {
  std::array<char, 1024> text{};
  std::snprintf(text.data(), text.size(), "%s", look.input.c_str());
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - 7 * context.em);
  const bool entered =
      ImGui::InputTextWithHint("##input", "a line of input for the program; Enter sends it",
                               text.data(), text.size(), ImGuiInputTextFlags_EnterReturnsTrue);
  look.input = text.data();
  if (entered) {
    context.session.apply(model::command("program.input", look.input));
    look.input.clear();
    ImGui::SetKeyboardFocusHere(-1);
  }
  ImGui::SameLine();
  if (ImGui::Button("End of input")) context.session.apply(model::command("program.end_input"));
  tooltip(context, "Ends the program's input (like Ctrl+D in a terminal)");
}

}  // namespace

void drawConsole(const Context& context, const ProgramView& view) {
  heading(context, "Output");
  // Most programs read no input, and end within this time.
  constexpr double kSeconds = 3;
  const bool reads = view.state == ProgramView::State::running && !view.isCompiling &&
                     context.now - view.startedAt > kSeconds && !context.ui.readOnly;
  const float input = reads ? ImGui::GetFrameHeightWithSpacing() : 0;
  compat::beginChild("output", {0, -input}, false, ImGuiWindowFlags_HorizontalScrollbar);
  drawOutput(context, *view.output);
  ImGui::EndChild();
  if (reads && programLook(context.ui)) drawInput(context, *programLook(context.ui));
}

}  // namespace tilestep::features
