// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "ui/panels.h"
#include "ui/widgets.h"

namespace tilestep::ui {
namespace {

using session::TimelineEpoch;

const char* letterOf(trace::StepKind kind) {
  switch (kind) {
    case trace::StepKind::load:
      return "L";
    case trace::StepKind::compute:
      return "C";
    case trace::StepKind::writeBack:
      return "W";
    case trace::StepKind::whole:
      return "";
  }
  return "";
}

const char* wordOf(trace::StepKind kind) {
  switch (kind) {
    case trace::StepKind::load:
      return "load";
    case trace::StepKind::compute:
      return "compute";
    case trace::StepKind::writeBack:
      return "write-back";
    case trace::StepKind::whole:
      return "";
  }
  return "";
}

/// One epoch of the scrubber: plain for a load, hatched for a compute epoch, dotted below for the
/// write-back; the word or its letter where there is room.
void drawSegment(const Context& context, const TimelineEpoch& epoch, ImVec2 min, ImVec2 max,
                 bool now) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const gfx::Palette& p = context.palette;
  const gfx::Color base = epoch.kind == trace::StepKind::compute     ? p.category(1)
                          : epoch.kind == trace::StepKind::writeBack ? p.category(2)
                                                                     : p.category(0);
  const float round = 0.15F * context.em;
  list.AddRectFilled(min, max, colour(gfx::mix(p.surface, base, now ? 0.5F : 0.28F)), round);
  if (epoch.kind == trace::StepKind::compute && max.x - min.x > 6) {
    list.PushClipRect(min, max, true);
    const float h = max.y - min.y;
    for (float x = min.x - h; x < max.x; x += 0.5F * context.em)
      list.AddLine({x, max.y}, {x + h, min.y}, colour(base, 0.35F));
    list.PopClipRect();
  }
  if (epoch.kind == trace::StepKind::writeBack)
    list.AddRectFilled({min.x, max.y - 0.2F * context.em}, max, colour(base), round);
  if (now) list.AddRect(min, max, colour(p.accent), round, 0, 2);
  const char* text = wordOf(epoch.kind);
  if (ImGui::CalcTextSize(text).x > max.x - min.x - 0.4F * context.em) text = letterOf(epoch.kind);
  const ImVec2 size = ImGui::CalcTextSize(text);
  if (size.x < max.x - min.x)
    list.AddText({(min.x + max.x - size.x) / 2, (min.y + max.y - size.y) / 2},
                 colour(now ? p.text : p.mutedText), text);
}

/// Where the chosen thread's events lie: a tick each, while they stand apart.
void drawMarks(const Context& context, ImVec2 at, float width, float height) {
  const auto& marks = context.snapshot.position.marks;
  if (!marks || static_cast<float>(marks->size()) * 3 > width) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float tick = 0.35F * context.em;
  for (const double share : *marks) {
    const float x = std::round(at.x + width * static_cast<float>(share));
    list.AddLine({x, at.y + height - tick}, {x, at.y + height},
                 colour(context.palette.chosen, 0.9F), 1.5F);
  }
}

void drawScrubber(const Context& context) {
  const session::Position& position = context.snapshot.position;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::max(ImGui::GetContentRegionAvail().x, 10.0F);
  const float height = 1.7F * context.em;
  ImGui::InvisibleButton("##scrubber", {width, height});
  if (!position.timeline || position.timeline->empty()) {
    ImGui::GetWindowDrawList()->AddRectFilled(
        at, {at.x + width, at.y + height}, colour(context.palette.text, 0.05F), 0.15F * context.em);
    return;
  }
  const auto count = static_cast<float>(position.timeline->size());
  if (ImGui::IsItemActive() && position.size > 0) {
    context.session.goToShare(static_cast<double>((ImGui::GetIO().MousePos.x - at.x) / width));
  }
  for (size_t i = 0; i < position.timeline->size(); ++i) {
    const float left = at.x + width * static_cast<float>(i) / count;
    const float right = at.x + width * static_cast<float>(i + 1) / count;
    if (right - left < 1 && i != position.epochStep) continue;
    const float gap = right - left > 8 ? 2.0F : 0.0F;
    drawSegment(context, (*position.timeline)[i], {left, at.y}, {right - gap, at.y + height},
                i == position.epochStep);
  }
  drawMarks(context, at, width, height);
  if (position.grain == trace::Grain::event && position.size > 1) {
    const float x = at.x + width * static_cast<float>(position.share);
    ImGui::GetWindowDrawList()->AddLine({x, at.y - 2}, {x, at.y + height + 2},
                                        colour(context.palette.accent), 2);
  }
}

void drawThreadGrain(const Context& context) {
  ImGui::SameLine(0, 0.15F * context.em);
  if (toggle(context, "thread", context.snapshot.position.ofThread)) {
    context.session.stepThread();
    context.ui.threadView = true;
  }
  tooltip(context,
          "Step by the chosen thread's own events (4): its loads, its uses, its barriers.");
}

void drawGrains(const Context& context) {
  constexpr std::array<std::pair<trace::Grain, const char*>, 3> kGrains{
      {{trace::Grain::phase, "phase"},
       {trace::Grain::epoch, "epoch"},
       {trace::Grain::event, "access"}}};
  constexpr std::array<const char*, 3> kHovers{
      "Step by whole phases (1)", "Step from barrier to barrier (2)",
      "Step by single warp instructions (3). Within an epoch their order is the recording's; warps "
      "run in any order."};
  for (size_t i = 0; i < kGrains.size(); ++i) {
    if (i > 0) ImGui::SameLine(0, 0.15F * context.em);
    const bool on = context.snapshot.position.grain == kGrains[i].first;
    if (toggle(context, kGrains[i].second, on && !context.snapshot.position.ofThread))
      context.session.setGrain(kGrains[i].first);
    tooltip(context, kHovers[i]);
  }
  drawThreadGrain(context);
}

void drawButtons(const Context& context) {
  const session::Position& position = context.snapshot.position;
  const bool any = position.size > 0;
  const bool notFirst = any && position.index > 0;
  const bool notLast = any && position.index + 1 < position.size;
  using session::Move;
  if (iconButton(context, "first", Icon::first, notFirst)) context.session.move(Move::first);
  tooltip(context, "First step (Home)");
  ImGui::SameLine(0, 0.2F * context.em);
  if (iconButton(context, "back", Icon::back, notFirst)) context.session.move(Move::back);
  tooltip(context, "Back (Left)");
  ImGui::SameLine(0, 0.2F * context.em);
  if (iconButton(context, "play", position.playing ? Icon::pause : Icon::play, any))
    context.session.play(!position.playing);
  tooltip(context, "Play or pause (P)");
  ImGui::SameLine(0, 0.2F * context.em);
  if (iconButton(context, "forward", Icon::forward, notLast)) context.session.move(Move::forward);
  tooltip(context, "Next step (Space or Right)");
  ImGui::SameLine(0, 0.2F * context.em);
  if (iconButton(context, "last", Icon::last, notLast)) context.session.move(Move::last);
  tooltip(context, "Last step (End)");
}

void drawSpeed(const Context& context) {
  auto speed = static_cast<float>(context.snapshot.position.speed);
  ImGui::SetNextItemWidth(6 * context.em);
  if (ImGui::SliderFloat("##speed", &speed, 0.25F, 30, "",
                         ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_NoInput))
    context.session.setSpeed(speed);
  tooltip(context, "Speed of playing (Up, Down)");
  ImGui::SameLine();
  char text[32];
  std::snprintf(text, sizeof text, "%.2g %s", static_cast<double>(speed),
                speed == 1 ? "step/s" : "steps/s");
  muted(context, text);
}

/// As many of the parts "a · b · c" as fit, the first always.
std::string leadingParts(std::string text, float width) {
  while (ImGui::CalcTextSize(text.c_str()).x > width) {
    const size_t end = text.rfind(" · ");
    if (end == std::string::npos) break;
    text.resize(end);
  }
  return text;
}

void drawPosition(const Context& context) {
  const session::Position& position = context.snapshot.position;
  std::string text = position.text;
  if (position.size == 0) text = "no steps yet";
  const std::string count =
      position.size > 0 ? std::to_string(position.index + 1) + " / " + std::to_string(position.size)
                        : "";
  const float right = ImGui::GetContentRegionAvail().x;
  compat::pushFont(context.fonts.mono, compat::sizeOf(context.fonts.mono));
  const float numbers = ImGui::CalcTextSize(count.c_str()).x + context.em;
  ImGui::PopFont();
  text = leadingParts(text, right - numbers);
  const float width = ImGui::CalcTextSize(text.c_str()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, right - width - numbers));
  ImGui::TextUnformatted(text.c_str());
  tooltip(context, "Steps: " + (position.recorder.empty() ? "none yet" : position.recorder) +
                       ". Within an epoch the order of warps is arbitrary.");
  ImGui::SameLine();
  rightNumber(context, count, colour(context.palette.mutedText));
}

}  // namespace

void drawTransport(const Context& context) {
  drawButtons(context);
  ImGui::SameLine(0, context.em);
  ImGui::BeginGroup();
  ImGui::Dummy({0, 0.02F * context.em});
  drawGrains(context);
  ImGui::EndGroup();
  ImGui::SameLine(0, context.em);
  ImGui::BeginGroup();
  ImGui::Dummy({0, 0.02F * context.em});
  drawSpeed(context);
  ImGui::EndGroup();
  ImGui::SameLine(0, context.em);
  ImGui::BeginGroup();
  ImGui::Dummy({0, 0.3F * context.em});
  drawPosition(context);
  ImGui::EndGroup();
  drawScrubber(context);
}

}  // namespace tilestep::ui
