// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

#include "ui/kit/panels.h"
#include "ui/kit/parts.h"
#include "ui/kit/widgets.h"
#include "ui/shell/layout.h"

namespace tilestep::ui {
namespace {

using model::TimelineEpoch;

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

/// One epoch of the scrubber: plain for a load, hatched for a compute epoch, with a bar along the
/// bottom for the write-back. The label is the kind, its initial, or the number if the epoch has no
/// single kind.
void drawSegment(const Context& context, const TimelineEpoch& epoch, size_t number, ImVec2 min,
                 ImVec2 max, bool now) {
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
  const bool isWhole = epoch.kind == trace::StepKind::whole;
  std::string text = isWhole ? "epoch " + std::to_string(number) : wordOf(epoch.kind);
  if (ImGui::CalcTextSize(text.c_str()).x > max.x - min.x - 0.4F * context.em)
    text = isWhole ? std::to_string(number) : letterOf(epoch.kind);
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  if (size.x < max.x - min.x)
    list.AddText({(min.x + max.x - size.x) / 2, (min.y + max.y - size.y) / 2}, colour(p.text),
                 text.c_str());
}

/// The first and the last epoch of the current step: a phase has a load and a compute epoch.
std::pair<size_t, size_t> epochsOfStep(const model::Position& position) {
  const std::vector<TimelineEpoch>& epochs = *position.timeline;
  size_t first = std::min(position.epochStep, epochs.size() - 1), last = first;
  const std::optional<uint32_t> phase = epochs[first].phase;
  if (position.grain != trace::StepGranularity::phase || !phase) return {first, last};
  while (first > 0 && epochs[first - 1].phase == phase) --first;
  while (last + 1 < epochs.size() && epochs[last + 1].phase == phase) ++last;
  return {first, last};
}

void drawScrubber(const Context& context, float width, float height) {
  const model::Position& position = context.snapshot.position;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton("##scrubber", {width, height});
  if (!position.timeline || position.timeline->empty()) {
    ImGui::GetWindowDrawList()->AddRectFilled(
        at, {at.x + width, at.y + height}, colour(context.palette.text, 0.05F), 0.15F * context.em);
    return;
  }
  const auto count = static_cast<float>(position.timeline->size());
  if (ImGui::IsItemActive() && position.size > 0) {
    context.session.apply(model::command(
        "steps.share", static_cast<double>((ImGui::GetIO().MousePos.x - at.x) / width)));
  }
  const auto [first, last] = epochsOfStep(position);
  const auto edgeOf = [&](size_t i) { return at.x + width * static_cast<float>(i) / count; };
  for (size_t i = 0; i < position.timeline->size(); ++i) {
    const bool now = first <= i && i <= last;
    const float room = edgeOf(i + 1) - edgeOf(i);
    if (room < 1 && !now) continue;
    const float gap = room > 8 ? 2.0F : 0.0F;
    drawSegment(context, (*position.timeline)[i], i, {edgeOf(i), at.y},
                {edgeOf(i + 1) - gap, at.y + height}, now);
  }
  const float gap = edgeOf(last + 1) - edgeOf(last) > 8 ? 2.0F : 0.0F;
  compat::strokeRect(*ImGui::GetWindowDrawList(), {edgeOf(first), at.y},
                     {edgeOf(last + 1) - gap, at.y + height}, colour(context.palette.accent),
                     0.15F * context.em, 2);
  drawPart(Part::threadMarks, context);
  if (position.grain == trace::StepGranularity::event && position.size > 1) {
    const float x = at.x + width * static_cast<float>(position.share);
    ImGui::GetWindowDrawList()->AddLine({x, at.y - 2}, {x, at.y + height + 2},
                                        colour(context.palette.accent), 2);
  }
}

void drawThreadGrain(const Context& context) {
  ImGui::SameLine(0, 0.15F * context.em);
  if (toggle(context, "thread", context.snapshot.position.ofThread)) {
    context.session.apply(model::command("threads.step"));
    context.ui.threadView = true;
    context.ui.ptxView = false;
  }
  tooltip(context,
          "Step by the chosen thread's own events (4): its loads, its uses, its barriers.");
}

struct GrainName {
  trace::StepGranularity grain;
  const char *name, *hover;
};
constexpr std::array<GrainName, 3> kGrains{
    {{trace::StepGranularity::phase, "phase", "Step by whole phases (1)"},
     {trace::StepGranularity::epoch, "epoch", "Step from barrier to barrier (2)"},
     {trace::StepGranularity::event, "access",
      "Step by single warp instructions (3). Within an epoch they are in recorded order; on a "
      "GPU, warps run in any order."}}};

void drawGrains(const Context& context) {
  for (size_t i = 0; i < kGrains.size(); ++i) {
    if (i > 0) ImGui::SameLine(0, 0.15F * context.em);
    const bool on = context.snapshot.position.grain == kGrains[i].grain;
    if (toggle(context, kGrains[i].name, on && !context.snapshot.position.ofThread))
      context.session.apply(model::command("steps.grain", kGrains[i].grain));
    tooltip(context, kGrains[i].hover);
  }
  drawThreadGrain(context);
}

/// The same choice as a single button, for a narrow bar.
void drawNextGrain(const Context& context) {
  const model::Position& position = context.snapshot.position;
  for (size_t i = 0; i < kGrains.size(); ++i) {
    if (position.grain != kGrains[i].grain) continue;
    const char* name = position.ofThread ? "thread" : kGrains[i].name;
    const bool last = i + 1 == kGrains.size();
    if (toggle(context, name, true)) {
      if (last && !position.ofThread)
        context.session.apply(model::command("threads.step"));
      else
        context.session.apply(model::command("steps.grain", kGrains[last ? 0 : i + 1].grain));
    }
    tooltip(context,
            "The size of a step: a phase, an epoch, an access, or the chosen thread's own event "
            "(1, 2, 3, 4). A click chooses the next size.");
    return;
  }
}

/// `few` omits the first and the last button.
void drawButtons(const Context& context, bool few) {
  const model::Position& position = context.snapshot.position;
  const bool any = position.size > 0;
  const bool notFirst = any && position.index > 0;
  const bool notLast = any && position.index + 1 < position.size;
  const float gap = 0.2F * context.em;
  using model::Move;
  if (!few) {
    if (iconButton(context, "first", Icon::first, notFirst))
      context.session.apply(model::command("steps.move", Move::first));
    tooltip(context, "First step (Home)");
    ImGui::SameLine(0, gap);
  }
  if (iconButton(context, "back", Icon::back, notFirst))
    context.session.apply(model::command("steps.move", Move::back));
  tooltip(context, "Back (Left)");
  ImGui::SameLine(0, gap);
  if (iconButton(context, "play", position.playing ? Icon::pause : Icon::play, any))
    context.session.apply(model::command("steps.play", !position.playing));
  tooltip(context, "Play or pause (P)");
  ImGui::SameLine(0, gap);
  if (iconButton(context, "forward", Icon::forward, notLast))
    context.session.apply(model::command("steps.move", Move::forward));
  tooltip(context, "Next step (Space or Right)");
  if (few) return;
  ImGui::SameLine(0, gap);
  if (iconButton(context, "last", Icon::last, notLast))
    context.session.apply(model::command("steps.move", Move::last));
  tooltip(context, "Last step (End)");
}

void drawSpeed(const Context& context) {
  auto speed = static_cast<float>(context.snapshot.position.speed);
  ImGui::SetNextItemWidth(6 * context.em);
  if (ImGui::SliderFloat("##speed", &speed, 0.25F, 30, "",
                         ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_NoInput))
    context.session.apply(model::command("steps.speed", speed));
  tooltip(context, "Speed of playing (Up, Down)");
  ImGui::SameLine();
  char text[32];
  std::snprintf(text, sizeof text, "%.2g %s", static_cast<double>(speed),
                speed == 1 ? "step/s" : "steps/s");
  muted(context, text);
}

/// As many of the parts "a · b · c" as fit into `width`, but at least the first.
std::string leadingParts(std::string text, float width) {
  while (ImGui::CalcTextSize(text.c_str()).x > width) {
    const size_t end = text.rfind(" · ");
    if (end == std::string::npos) break;
    text.resize(end);
  }
  return text;
}

/// A small field for a step's number, opened by a click on the counter or by J.
void drawGoTo(const Context& context, bool clicked) {
  const model::Position& position = context.snapshot.position;
  const bool wished = std::exchange(context.ui.goToWished, false);
  if ((clicked || wished) && position.size > 0) ImGui::OpenPopup("go to");
  if (!ImGui::BeginPopup("go to")) return;
  int number = static_cast<int>(position.index) + 1;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Go to step");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(6 * context.em);
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  if (ImGui::InputInt("##step", &number, 0, 0, ImGuiInputTextFlags_EnterReturnsTrue)) {
    const int last = std::max(1, static_cast<int>(position.size));
    context.session.apply(model::command("steps.go", std::clamp(number, 1, last) - 1));
    ImGui::CloseCurrentPopup();
  }
  if (ImGui::IsItemDeactivated()) ImGui::CloseCurrentPopup();  // By Esc.
  ImGui::SameLine();
  muted(context, "of " + std::to_string(position.size));
  ImGui::EndPopup();
}

void drawPosition(const Context& context) {
  const model::Position& position = context.snapshot.position;
  std::string text = position.text;
  if (position.size == 0) text = "no steps yet";
  const std::string count =
      position.size > 0 ? std::to_string(position.index + 1) + " / " + std::to_string(position.size)
                        : "";
  const float right = ImGui::GetContentRegionAvail().x;
  compat::pushFont(context.fonts.mono, compat::sizeOf(context.fonts.mono));
  const float numbers = ImGui::CalcTextSize(count.c_str()).x + context.em;
  ImGui::PopFont();
  const float room = right - numbers;
  text = leadingParts(text, room);
  if (room > 3 * context.em) {
    const float width = std::min(ImGui::CalcTextSize(text.c_str()).x, room);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0F, room - width));
    clipped(text, room);
    tooltip(context, "Steps: " + (position.recorder.empty() ? "none yet" : position.recorder) +
                         ". Within an epoch the order of warps is arbitrary.");
    ImGui::SameLine();
  }
  rightNumber(context, count, colour(context.palette.mutedText));
  tooltip(context, "Go to a step by its number (J)");
  drawGoTo(context, ImGui::IsItemClicked());
}

/// The parts of the bar that fit beside the position, which is cut last.
struct TransportFits {
  bool speed = true, grains = true, ends = true;
};

TransportFits transportFitsOf(const Context& context) {
  const float em = context.em, frame = 2 * ImGui::GetStyle().FramePadding.x;
  float grains = 0;
  for (const GrainName& grain : kGrains)
    grains += ImGui::CalcTextSize(grain.name).x + frame + 0.15F * em;
  const float speed = 13 * em, ends = 4.6F * em, position = 15 * em;
  grains += ImGui::CalcTextSize("thread").x + frame;
  const float oneGrain = ImGui::CalcTextSize("access").x + frame;
  const float room = ImGui::GetContentRegionAvail().x - position - 2.3F * 3 * em - em;
  TransportFits fits;
  fits.speed = room >= speed + grains + ends;
  fits.grains = room >= grains + ends;
  fits.ends = room + 0.5F * position >= oneGrain + ends;
  return fits;
}

/// Begins a group on the same line, lowered by `lower` em to the middle of the buttons.
void nextGroup(const Context& context, float lower) {
  ImGui::SameLine(0, context.em);
  ImGui::BeginGroup();
  ImGui::Dummy({0, lower * context.em});
}

/// Buttons, scrubber and position on one line, for a presentation and a lesson.
void drawLine(const Context& context) {
  const float em = context.em, height = (context.ui.presenting ? 2.1F : 1.9F) * em;
  drawButtons(context, false);
  if (!context.ui.presenting) {
    nextGroup(context, 0.02F);
    drawNextGrain(context);
    ImGui::EndGroup();
  }
  ImGui::SameLine(0, em);
  constexpr float kLeastScrubber = 26, kCount = 5.5F;  // em
  const float room = ImGui::GetContentRegionAvail().x;
  const float most = room - (kLeastScrubber + kCount) * em;
  const float text =
      ImGui::CalcTextSize(leadingParts(context.snapshot.position.text, most).c_str()).x;
  // The position is omitted if it does not fit: the scenes show the phase, too.
  const float position = kCount * em + (text <= most ? text : 0);
  drawScrubber(context, std::max(room - position, 10.0F), height);
  nextGroup(context, 0.3F);
  drawPosition(context);
  ImGui::EndGroup();
}

}  // namespace

void drawTransport(const Context& context) {
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const bool isLine = context.ui.presenting || isLessonBeside(context.ui, window.x, context.em);
  if (isLine && !isVeryLow(window.y, context.em)) return drawLine(context);
  const TransportFits fits = transportFitsOf(context);
  const bool low = isLow(ImGui::GetIO().DisplaySize.y, context.em);
  if (low) ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.5F * context.em, 0.2F * context.em});
  drawButtons(context, !fits.ends);
  nextGroup(context, 0.02F);
  fits.grains ? drawGrains(context) : drawNextGrain(context);
  ImGui::EndGroup();
  if (fits.speed) {
    nextGroup(context, 0.02F);
    drawSpeed(context);
    ImGui::EndGroup();
  }
  nextGroup(context, low ? 0.1F : 0.3F);
  drawPosition(context);
  ImGui::EndGroup();
  if (!isVeryLow(ImGui::GetIO().DisplaySize.y, context.em))
    drawScrubber(context, std::max(ImGui::GetContentRegionAvail().x, 10.0F),
                 (low ? 1.2F : 1.7F) * context.em);
  if (low) ImGui::PopStyleVar();
}

}  // namespace tilestep::ui
