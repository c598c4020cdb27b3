// SPDX-License-Identifier: Apache-2.0
#include "features/course/panel.h"

#include <algorithm>
#include <filesystem>
#include <string>

#include "features/course/view.h"
#include "features/lessons/view.h"
#include "ui/kit/rich_text.h"
#include "ui/kit/widgets.h"

namespace tilestep::ui {
namespace {

using model::Course;
using model::CourseBlock;
using model::CourseLink;

std::string labelOf(const CourseLink& link) {
  switch (link.kind) {
    case CourseLink::Kind::lesson:
      return "lesson: " + link.text;
    case CourseLink::Kind::lab:
      return "lab: " + link.text;
    case CourseLink::Kind::kernel:
      return link.text;
  }
  return link.text;
}

void follow(const Context& context, const CourseLink& link) {
  context.ui.course.open = false;
  if (link.kind == CourseLink::Kind::lab)
    return void(context.session.apply(model::command("labs.open", link.name)));
  if (link.kind == CourseLink::Kind::kernel)
    return void(context.session.apply(model::command("choice.kernel", link.name)));
  const auto& lessons = context.snapshot.view<model::LessonsView>().lessons;
  const auto at = std::ranges::find_if(lessons, [&](const model::LessonEntry& lesson) {
    return std::filesystem::path(lesson.file).stem() == link.name;
  });
  if (at != lessons.end()) context.session.apply(model::command("lessons.open", at->file));
}

/// Buttons that open what the block names.
void drawLinks(const Context& context, const CourseBlock& block, size_t number) {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  ImGui::PushID(static_cast<int>(number));
  for (size_t i = 0; i < block.links.size(); ++i) {
    const std::string label = labelOf(block.links[i]);
    if (i > 0) sameLineIfRoom(label.c_str(), right);
    if (ImGui::Button(label.c_str())) follow(context, block.links[i]);
  }
  ImGui::PopID();
  ImGui::Dummy({0, 0.2F * context.em});
}

void drawHeading(const Context& context, const std::string& text, bool isSection) {
  ImGui::Dummy({0, (isSection ? 0.8F : 0.4F) * context.em});
  compat::pushFont(isSection ? context.fonts.large : context.fonts.strong,
                   isSection ? context.fonts.largePixels : context.fonts.textPixels);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopFont();
}

void drawNote(const Context& context, const std::string& text) {
  const float indent = 1.2F * context.em;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float middle = at.y + 0.65F * context.fonts.textPixels;
  ImGui::GetWindowDrawList()->AddCircleFilled({at.x + 0.5F * indent, middle}, 0.16F * context.em,
                                              colour(context.palette.mutedText));
  ImGui::Indent(indent);
  richText(context, text, Setting::sentence);
  ImGui::Unindent(indent);
}

void drawBlock(const Context& context, const CourseBlock& block, size_t number) {
  switch (block.kind) {
    case CourseBlock::Kind::section:
    case CourseBlock::Kind::part:
      drawHeading(context, block.text, block.kind == CourseBlock::Kind::section);
      break;
    case CourseBlock::Kind::paragraph:
      richText(context, block.text, Setting::sentence);
      break;
    case CourseBlock::Kind::note:
      drawNote(context, block.text);
      break;
  }
  if (!block.links.empty()) drawLinks(context, block, number);
}

void drawPlan(const Context& context, const Course& course) {
  if (ImGui::Button("Close")) context.ui.course.open = false;
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  muted(context, "Esc");
  drawHeading(context, course.title, true);
  for (size_t i = 0; i < course.blocks.size(); ++i) drawBlock(context, course.blocks[i], i);
}

}  // namespace

void drawCourse(const Context& context) {
  UiState& ui = context.ui;
  const auto& course = context.snapshot.view<model::CourseView>().course;
  if (!ui.course.open || !course) return;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float em = context.em;
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({std::min(44 * em, 0.96F * screen.x), 0.92F * screen.y});
  if (ui.course.isFresh) ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {1.4F * em, 0.9F * em});
  ImGui::Begin("##course", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings);
  if (ui.course.scroll != 0)
    ImGui::SetScrollY(ImGui::GetScrollY() + ui.course.scroll * ImGui::GetTextLineHeight());
  ui.course.scroll = 0;
  drawPlan(context, *course);
  const bool outside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ui.course.isFresh &&
                       !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows);
  if (outside) ui.course.open = false;
  ui.course.isFresh = false;
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace tilestep::ui
