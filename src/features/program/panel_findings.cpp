// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <string>

#include "base/sentence.h"
#include "features/program/panel.h"
#include "features/program/words.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

using lab::ProgramFinding;

std::string place(const char* what, const Dim3& at) {
  std::string text = std::string(what) + " (" + std::to_string(at.x) + ", " + std::to_string(at.y);
  if (at.z != 0) text += ", " + std::to_string(at.z);
  return text + ")";
}

std::string headOf(const ProgramView& view, const ProgramFinding& finding) {
  std::string text = finding.line > 0 ? "line " + std::to_string(finding.line) + " · " : "";
  if (finding.line > 0 && !isInFile(finding, view.name))
    text = std::filesystem::path(finding.file).filename().string() + " " + text;
  if (finding.kind.empty()) return text + finding.kernel + ": " + finding.message;
  text += finding.kind;
  if (!finding.kernel.empty()) text += " in " + finding.kernel;
  if (finding.times > 1) text += " · " + std::to_string(finding.times) + " times";
  return text;
}

void choose(const Context& context, const ProgramView& view, size_t index) {
  context.session.apply(model::command("program.finding", index));
  const ProgramFinding& finding = view.summary->findings[index];
  if (isInFile(finding, view.name)) goToLine(context, finding.line);
}

ImVec2 middleOfItem() {
  const ImVec2 least = ImGui::GetItemRectMin(), most = ImGui::GetItemRectMax();
  return {(least.x + most.x) / 2, (least.y + most.y) / 2};
}

/// A button that goes to the finding's launch, block and thread.
void drawWays(const Context& context, const ProgramView& view, const ProgramFinding& finding) {
  if (finding.launch == 0 || context.ui.readOnly) return;
  const bool isOrder = finding.order != 0;
  std::string label = isOrder ? "Show the order of warps that causes it" : "Step there";
  if (finding.block) label += ": " + place("block", *finding.block);
  if (finding.thread) label += ", " + place("thread", *finding.thread);
  ImGui::BeginDisabled(view.isOld || view.coming != 0);
  if (ImGui::Button(label.c_str())) {
    context.session.apply(model::command("program.finding", view.finding));
    context.ui.stage = Stage::scene;
    if (finding.thread) {
      context.ui.threadView = true;
      context.ui.ptxView = false;
    }
  }
  ImGui::EndDisabled();
  if (programLook(context.ui)) programLook(context.ui)->stepThereAt = middleOfItem();
  tooltip(context, isOrder
                       ? "Shows this launch's steps with its blocks and warps in the order that "
                         "causes the finding"
                       : "Shows this launch's steps, with that block and thread chosen");
}

/// The offered change: the differing lines, and its effect.
void drawFix(const Context& context, const ProgramView& view) {
  if (view.givesHints || !view.fix) {
    if (view.givesHints && !view.hint.empty()) hint(context, view.hint);
    return;
  }
  const CodeFix& fix = *view.fix;
  const gfx::Palette& p = context.palette;
  muted(context, fix.title);
  compat::pushFont(context.fonts.mono, compat::sizeOf(context.fonts.mono));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  for (const std::string& line : fix.changes) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x;
    const gfx::Color ink = line.starts_with('-') ? p.warning : p.category(2);
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + room, at.y + ImGui::GetTextLineHeight()},
                                              colour(ink, 0.16F));
    ImGui::TextUnformatted(cutTo(line, room).c_str());
  }
  ImGui::PopStyleVar();
  ImGui::PopFont();
  if (!context.ui.readOnly && ImGui::Button("Apply this change")) {
    context.session.apply(model::command("program.take_fix"));
    goToLine(context, fix.line);
  }
  if (programLook(context.ui)) programLook(context.ui)->takeFixAt = middleOfItem();
  ImGui::SameLine();
  muted(context, view.fixIsTried ? view.fixOutcome : "trying this change …");
}

void drawFinding(const Context& context, const ProgramView& view, size_t index) {
  const ProgramFinding& finding = view.summary->findings[index];
  const gfx::Palette& p = context.palette;
  const bool chosen = index == view.finding;
  const float line = ImGui::GetTextLineHeight();
  ImGui::PushID(static_cast<int>(index));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (ImGui::Selectable("##finding", chosen, 0, {0, line})) choose(context, view, index);
  ImGui::PopID();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float mark = 0.25F * context.em, middle = at.y + line / 2;
  const ImVec2 centre{at.x + 2 * mark, middle};
  // A note about faults is not itself a fault.
  const bool isFault = finding.isFault && !finding.kind.empty();
  if (isFault)
    list.AddRectFilled({centre.x - mark, middle - mark}, {centre.x + mark, middle + mark},
                       colour(p.warning));
  else if (!finding.isFault)
    list.AddCircle(centre, mark, colour(p.mutedText), 12, 1.5F);
  const float x = at.x + 1.3F * context.em;
  const float right = at.x + ImGui::GetContentRegionAvail().x;
  list.AddText({x, at.y}, colour(isFault ? gfx::inkOf(p.warning, p) : p.mutedText),
               cutTo(headOf(view, finding), right - x).c_str());
  if (!chosen) return;
  ImGui::Indent(1.3F * context.em);
  wrapped(capitalised(asSentence(finding.message)));
  drawWays(context, view, finding);
  drawFix(context, view);
  ImGui::Unindent(1.3F * context.em);
}

}  // namespace

void drawFindings(const Context& context, const ProgramView& view) {
  const auto& findings = view.summary->findings;
  const float room = ImGui::GetContentRegionAvail().y;
  if (!findings.empty() && programLook(context.ui)) {
    // Uses the height of its content in the last frame.
    float& wanted = programLook(context.ui)->findingsHeight;
    if (context.ui.readOnly || wanted <= 0) wanted = 0.3F * room;
    compat::beginChild("findings", {0, std::min(wanted, 0.5F * room)}, false);
    const float start = ImGui::GetCursorPosY();
    for (size_t i = 0; i < findings.size(); ++i) drawFinding(context, view, i);
    wanted = ImGui::GetCursorPosY() - start + ImGui::GetStyle().ItemSpacing.y;
    ImGui::EndChild();
  }
  for (const std::string& result : view.summary->results) hint(context, shownText(result) + ".");
  if (!view.summary->verdict.empty() && view.summary->verdict != view.verdict)
    hint(context, view.summary->verdict);
  if (view.summary->faults() == 0)
    for (const std::string& note : view.summary->notes) hint(context, note);
}

}  // namespace tilestep::features
