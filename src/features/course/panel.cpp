// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "features/course/learn_list.h"
#include "features/course/view.h"
#include "features/lessons/view.h"
#include "model/text/text_runs.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/rich_text.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

std::string labelOf(const CourseLink& link) {
  switch (link.kind) {
    case CourseLink::Kind::lesson:
      return "lesson: " + link.text;
    case CourseLink::Kind::lab:
      return "lab: " + link.text;
    case CourseLink::Kind::exercise:
    case CourseLink::Kind::kernel:
      return link.text;
  }
  return link.text;
}

/// The text without backquotes.
std::string plainOf(const std::string& text) {
  std::string plain;
  for (const model::TextRun& run : model::textRuns(text)) plain += run.text;
  return plain;
}

/// A lesson's file; empty if there is no lesson with that name.
std::string fileOf(const Context& context, const std::string& lesson) {
  const auto& lessons = context.snapshot.view<LessonsView>().lessons;
  const auto at = std::ranges::find_if(lessons, [&](const LessonEntry& each) {
    return std::filesystem::path(each.file).stem() == lesson;
  });
  return at == lessons.end() ? std::string() : at->file;
}

void open(const Context& context, CourseLink::Kind kind, const std::string& name) {
  context.ui.course.open = false;
  if (kind == CourseLink::Kind::lab)
    return void(context.session.apply(model::command("labs.open", name)));
  if (kind == CourseLink::Kind::kernel)
    return void(context.session.apply(model::command("choice.kernel", name)));
  if (kind == CourseLink::Kind::exercise) {
    context.session.apply(model::command("exercises.open", name));
    context.ui.stage = Stage::exercises;
    return;
  }
  if (const std::string file = fileOf(context, name); !file.empty())
    context.session.apply(model::command("lessons.open", file));
}

/// Buttons for the block's links.
void drawLinks(const Context& context, const CourseBlock& block, size_t number) {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  ImGui::PushID(static_cast<int>(number));
  for (size_t i = 0; i < block.links.size(); ++i) {
    const std::string label = labelOf(block.links[i]);
    if (i > 0) sameLineIfRoom(label.c_str(), right);
    if (ImGui::Button(label.c_str())) open(context, block.links[i].kind, block.links[i].name);
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

const char* nameOf(CourseLink::Kind kind) {
  switch (kind) {
    case CourseLink::Kind::lesson:
      return "lesson";
    case CourseLink::Kind::lab:
      return "lab";
    case CourseLink::Kind::exercise:
      return "exercise";
    case CourseLink::Kind::kernel:
      return "kernel";
  }
  return "";
}

void drawTick(const Context& context, ImVec2 at) {
  const float unit = 0.1F * context.em;
  const std::array<ImVec2, 3> points{ImVec2{at.x, at.y + 5.5F * unit},
                                     ImVec2{at.x + 2.5F * unit, at.y + 8 * unit},
                                     ImVec2{at.x + 7 * unit, at.y + 2.5F * unit}};
  compat::strokeLines(*ImGui::GetWindowDrawList(), points.data(), static_cast<int>(points.size()),
                      colour(context.palette.category(2)), 0, 1.8F * unit);
}

/// A row that opens the entry, with number, tick, title, kind, progress and minutes.
void drawEntry(const Context& context, const LearnEntry& entry) {
  const float em = context.em;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  constexpr float kMinutes = 4.5F, kStartOver = 6;  // em
  const float right = at.x + ImGui::GetContentRegionAvail().x;
  const float progress = right - (kMinutes + kStartOver) * em;
  const bool isBegun =
      (!entry.progress.empty() || entry.done) && entry.kind == CourseLink::Kind::lesson;
  const ImU32 quiet = colour(context.palette.mutedText);
  ImGui::PushID(static_cast<int>(entry.kind));
  ImGui::PushID(entry.name.c_str());
  const float row = (isBegun ? progress + 0.5F * em : right) - at.x;
  if (ImGui::Selectable("##entry", false, 0, {row, 0})) open(context, entry.kind, entry.name);
  const ImVec2 end = ImGui::GetItemRectMax();
  context.ui.course.rows[entry.name] = {at.x + 4 * em, (at.y + end.y) / 2};
  if (!entry.about.empty()) tooltip(context, plainOf(entry.about));
  if (isBegun) {
    ImGui::SameLine(0, 0);
    if (ImGui::SmallButton("start over")) {
      const std::string file = fileOf(context, entry.name);
      context.session.apply(model::command("lessons.restart", file));
      context.ui.course.open = false;
    }
    tooltip(context, "Starts again at the first step and clears all answers");
  }
  ImGui::PopID();
  ImGui::PopID();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddText({at.x, at.y}, quiet, entry.number.c_str());
  const float tick = at.x + 3 * em, title = tick + 1.3F * em;
  if (entry.done) drawTick(context, {tick, at.y});
  list.AddText({title, at.y}, colour(context.palette.text), entry.title.c_str());
  list.AddText({title + ImGui::CalcTextSize(entry.title.c_str()).x + 0.8F * em, at.y}, quiet,
               nameOf(entry.kind));
  const auto write = [&](const std::string& text, float edge) {
    list.AddText({edge - ImGui::CalcTextSize(text.c_str()).x, at.y}, quiet, text.c_str());
  };
  write(entry.minutes, right);
  write(entry.progress, progress);
}

void drawList(const Context& context, const std::vector<LearnGroup>& groups) {
  for (const LearnGroup& group : groups) {
    ImGui::Dummy({0, 0.25F * context.em});
    if (!group.title.empty())
      heading(context, group.title.c_str(),
              group.buildsOn.empty() ? "" : ("builds on " + group.buildsOn).c_str());
    for (const LearnEntry& entry : group.entries) drawEntry(context, entry);
  }
}

/// `course` is null if there is no plan to switch to.
void drawHead(const Context& context, const Course* course, bool isPlan) {
  compat::pushFont(context.fonts.large, context.fonts.largePixels);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(isPlan ? course->title.c_str() : "Learn");
  ImGui::PopFont();
  const char* other = isPlan ? "The list" : "Plan for teachers";
  const float width = ImGui::CalcTextSize(other).x + ImGui::CalcTextSize("Close").x +
                      4 * ImGui::GetStyle().FramePadding.x + ImGui::GetStyle().ItemSpacing.x;
  ImGui::SameLine(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - width);
  ImGui::BeginDisabled(course == nullptr);
  if (ImGui::Button(other)) context.ui.course.plan = !isPlan;
  ImGui::EndDisabled();
  tooltip(context, isPlan ? "Lessons, labs and exercises as one list"
                          : "What each week is about, what students get wrong, and answers");
  ImGui::SameLine();
  if (ImGui::Button("Close")) context.ui.course.open = false;
  tooltip(context, "Esc");
}

/// A window with the list of lessons, labs and exercises, or with the course's plan for teachers.
/// Visible while UiState::course is open.
void drawCourse(const Context& context) {
  UiState& ui = context.ui;
  const auto& course = context.snapshot.view<CourseView>().course;
  if (!ui.course.open) return;
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
  const bool isPlan = ui.course.plan && course;
  ui.course.rows.clear();
  drawHead(context, course.get(), isPlan);
  compat::beginChild("body", {0, 0}, false, 0);  // The header does not scroll.
  if (ui.course.scroll != 0)
    ImGui::SetScrollY(ImGui::GetScrollY() + ui.course.scroll * ImGui::GetTextLineHeight());
  ui.course.scroll = 0;
  if (isPlan)
    for (size_t i = 0; i < course->blocks.size(); ++i) drawBlock(context, course->blocks[i], i);
  else
    drawList(context, learnListOf(course.get(), context.snapshot.view<LessonsView>(),
                                  context.snapshot.view<LabsView>(),
                                  context.snapshot.view<ExercisesView>()));
  ImGui::EndChild();
  const bool outside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ui.course.isFresh &&
                       !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows |
                                               ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  if (outside) ui.course.open = false;
  ui.course.isFresh = false;
  ImGui::End();
  ImGui::PopStyleVar(2);
}

/// While the course's plan is open, it consumes all keys except Tab, Enter and the function keys:
/// they scroll, and Esc closes it.
bool handleCourse(const gfx::KeyEvent& event, UiState& ui) {
  using gfx::Key;
  constexpr float kPage = 20, kAll = 1e5F;  // Lines.
  if (!ui.course.open) return false;
  switch (event.key) {
    case Key::escape:
      ui.course.open = false;
      return true;
    case Key::pageDown:
    case Key::space:
      ui.course.scroll += kPage;
      return true;
    case Key::pageUp:
      ui.course.scroll -= kPage;
      return true;
    case Key::down:
      ++ui.course.scroll;
      return true;
    case Key::up:
      --ui.course.scroll;
      return true;
    case Key::home:
      ui.course.scroll = -kAll;
      return true;
    case Key::end:
      ui.course.scroll = kAll;
      return true;
    case Key::tab:
    case Key::enter:
      return false;
    default:
      return event.key < Key::f1;
  }
}

}  // namespace
}  // namespace tilestep::features

namespace tilestep::features::course {
namespace {

class CoursePanel : public FeaturePanel {
 public:
  [[nodiscard]] PartDrawers parts() const override { return {{Part::learn, drawCourse}}; }
  bool handleKey(KeyTurn turn, const gfx::KeyEvent& event, model::Session& /*session*/,
                 UiState& ui) const override {
    return turn == KeyTurn::overlay && handleCourse(event, ui);
  }
  void addItems(PaletteGroup group, const Context& context,
                std::vector<PaletteItem>& to) const override {
    if (group != PaletteGroup::learning || !context.snapshot.view<CourseView>().course) return;
    CourseState& course = context.ui.course;
    to.push_back({"Learn: lessons, labs and exercises", "", [&course] { course.openList(); }});
    to.push_back({"The course, week by week", "", [&course] {
                    course.openList();
                    course.plan = true;
                  }});
  }
  void addState(const model::Snapshot& /*now*/, const UiState& ui,
                nlohmann::json& to) const override {
    if (!ui.course.open) return;
    nlohmann::json& rows = to["learn"] = nlohmann::json::object();
    for (const auto& [name, at] : ui.course.rows) rows[name] = {at.x, at.y};
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<CoursePanel>();
}

}  // namespace tilestep::features::course
