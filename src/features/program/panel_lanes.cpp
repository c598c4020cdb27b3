// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/figure.h"
#include "features/predicted_time/view.h"
#include "features/program/panel.h"
#include "features/program/words.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

using lab::ProgramStep;
using lab::ProgramStepKind;

/// The size of a copy: "8.00 kB".
std::string sizeText(uint64_t bytes) {
  return toText(static_cast<double>(bytes), Unit::bytes);
}

bool isOnDevice(const ProgramStep& step) {
  return step.kind == ProgramStepKind::copy || step.kind == ProgramStepKind::fill ||
         step.kind == ProgramStepKind::launch;
}

std::vector<uint64_t> streamsOf(const std::vector<ProgramStep>& steps) {
  std::vector<uint64_t> streams{0};
  for (const ProgramStep& step : steps)
    if (isOnDevice(step) && std::ranges::count(streams, step.stream) == 0)
      streams.push_back(step.stream);
  std::ranges::sort(streams);
  return streams;
}

/// The positions of the lanes, in pixels from the left edge.
class LaneColumns {
 public:
  LaneColumns(const Context& context, const std::vector<ProgramStep>& steps, float room)
      : streams_(streamsOf(steps)) {
    line = ImGui::CalcTextSize("0000").x + 0.6F * context.em;
    host = line + std::clamp(0.34F * room, 9 * context.em, 16 * context.em);
    const float left = host + 5.5F * context.em;
    const auto count = static_cast<float>(streams_.size());
    width_ = std::max((room - left) / count, 7 * context.em);
    first_ = left;
  }
  [[nodiscard]] float left(uint64_t stream) const {
    const auto at = std::ranges::find(streams_, stream) - streams_.begin();
    return first_ + static_cast<float>(at) * width_;
  }
  [[nodiscard]] float width() const { return width_; }
  [[nodiscard]] const std::vector<uint64_t>& streams() const { return streams_; }

  float line = 0,
        host = 0;  ///< The right edge of the line numbers, and the position of the host's lane.

 private:
  std::vector<uint64_t> streams_;
  float width_ = 0, first_ = 0;
};

class LanesPicture {
 public:
  LanesPicture(const Context& context, const ProgramView& view)
      : context_(context),
        view_(view),
        columns_(context, view.summary->steps, ImGui::GetContentRegionAvail().x),
        list_(*ImGui::GetWindowDrawList()),
        row_(std::round(1.55F * ImGui::GetTextLineHeight())) {}

  void drawHeads() const {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImU32 ink = colour(context_.palette.mutedText);
    list_.AddText({at.x + columns_.line, at.y}, ink, "Host");
    for (const uint64_t stream : columns_.streams()) {
      const std::string name = stream == 0 ? "Device" : "Device, stream " + std::to_string(stream);
      const std::string shown = cutTo(name, columns_.width() - 0.5F * context_.em);
      list_.AddText({at.x + columns_.left(stream), at.y}, ink, shown.c_str());
    }
    ImGui::Dummy({1, ImGui::GetTextLineHeight()});
  }

  void drawSteps() {
    if (programLook(context_.ui)) programLook(context_.ui)->launchAt = {0, 0};
    const auto count = static_cast<int>(view_.summary->steps.size());
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGuiListClipper clipper;
    clipper.Begin(count, row_);
    while (clipper.Step())
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)
        drawStep(static_cast<size_t>(i));
    clipper.End();
    ImGui::PopStyleVar();
  }

 private:
  void drawStep(size_t index) {
    const ProgramStep& step = view_.summary->steps[index];
    const gfx::Palette& p = context_.palette;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float room = ImGui::GetContentRegionAvail().x;
    ImGui::PushID(static_cast<int>(index));
    if (ImGui::InvisibleButton("step", {room, row_})) choose(step);
    ImGui::PopID();
    const bool isHovered = ImGui::IsItemHovered();
    if (isHovered) list_.AddRectFilled(at, {at.x + room, at.y + row_}, colour(p.text, 0.06F));
    tooltip(context_, hoverOf(step));
    drawHostLine(at);
    const float text = at.y + (row_ - ImGui::GetTextLineHeight()) / 2;
    if (step.line > 0) {
      const std::string number = std::to_string(step.line);
      const float x = at.x + columns_.line - 0.6F * context_.em;
      list_.AddText({x - ImGui::CalcTextSize(number.c_str()).x, text}, colour(p.mutedText),
                    number.c_str());
    }
    const std::string name = step.kind == ProgramStepKind::launch ? "launch" : textOf(step);
    const float host = columns_.host - columns_.line - 0.8F * context_.em;
    list_.AddText({at.x + columns_.line, text},
                  colour(step.failed ? gfx::inkOf(p.warning, p) : p.text),
                  cutTo(name, host).c_str());
    if (isOnDevice(step)) drawOnDevice(step, at, text);
  }

  /// Draws the lines of the host's lane and the streams' lanes.
  void drawHostLine(ImVec2 at) const {
    const ImU32 ink = colour(context_.palette.strongLine, 0.6F);
    list_.AddLine({at.x + columns_.host, at.y}, {at.x + columns_.host, at.y + row_}, ink);
    for (const uint64_t stream : columns_.streams()) {
      const float x = at.x + columns_.left(stream);
      list_.AddLine({x, at.y}, {x, at.y + row_}, ink);
    }
  }

  void drawOnDevice(const ProgramStep& step, ImVec2 at, float text) const {
    const gfx::Palette& p = context_.palette;
    const float middle = at.y + row_ / 2;
    const float host = at.x + columns_.host, lane = at.x + columns_.left(step.stream);
    const ImU32 ink = colour(step.failed ? p.warning : p.text, 0.8F);
    if (step.kind == ProgramStepKind::launch) {
      arrow(host, lane, middle, colour(p.strongLine));
      return drawLaunch(step, {lane, at.y}, text);
    }
    if (step.kind == ProgramStepKind::fill) {
      arrow(host, lane, middle, colour(p.strongLine));
      return label(sizeText(step.bytes) + " " + step.memory, lane + 0.5F * context_.em, text,
                   columns_.width() - context_.em);
    }
    const bool back = step.direction.ends_with("to host");
    const bool inside = step.direction == "device to device";
    if (inside)
      return label(sizeText(step.bytes) + " on the device", lane + 0.5F * context_.em, text,
                   columns_.width() - context_.em);
    back ? arrow(lane, host, middle, ink) : arrow(host, lane, middle, ink);
    std::string size = sizeText(step.bytes);
    if (step.milliseconds) size += ", " + toText(*step.milliseconds / 1e3, Unit::seconds);
    const float width = ImGui::CalcTextSize(size.c_str()).x;
    const float x = (host + lane - width) / 2, pad = 0.2F * context_.em;
    list_.AddRectFilled({x - pad, text}, {x + width + pad, text + ImGui::GetTextLineHeight()},
                        colour(p.surface));
    list_.AddText({x, text}, colour(p.text), size.c_str());
    label(step.memory, lane + 0.5F * context_.em, text, columns_.width() - context_.em);
  }

  void label(const std::string& text, float x, float y, float width) const {
    list_.AddText({x, y}, colour(context_.palette.mutedText), cutTo(text, width).c_str());
  }

  void drawLaunch(const ProgramStep& step, ImVec2 at, float text) const {
    const gfx::Palette& p = context_.palette;
    const float gap = 0.12F * row_, width = columns_.width() - 0.6F * context_.em;
    const bool isShown = view_.launch >= step.launch && view_.launch < step.launch + step.times;
    const gfx::Color ink = step.failed ? p.warning : p.category(0);
    const ImVec2 min{at.x, at.y + gap}, max{at.x + width, at.y + row_ - gap};
    if (programLook(context_.ui) && programLook(context_.ui)->launchAt.x == 0)
      programLook(context_.ui)->launchAt = {(min.x + max.x) / 2, (min.y + max.y) / 2};
    list_.AddRectFilled(min, max, colour(ink, step.ran ? 0.25F : 0.08F), 0.3F * context_.em);
    compat::strokeRect(list_, min, max, colour(isShown ? p.chosen : ink), 0.3F * context_.em,
                       isShown ? 2.0F : 1.0F);
    std::string name = textOf(step);
    if (step.milliseconds) name += ", " + toText(*step.milliseconds / 1e3, Unit::seconds);
    list_.AddText({min.x + 0.5F * context_.em, text}, colour(p.text),
                  cutTo(name, width - context_.em).c_str());
  }

  void arrow(float from, float to, float y, ImU32 ink) const {
    const float head = 0.35F * context_.em, side = to > from ? -head : head;
    list_.AddLine({from, y}, {to, y}, ink, 1.5F);
    list_.AddTriangleFilled({to, y}, {to + side, y - head / 2}, {to + side, y + head / 2}, ink);
  }

  [[nodiscard]] static std::string hoverOf(const ProgramStep& step) {
    std::string text = textOf(step);
    if (step.line > 0) text = "line " + std::to_string(step.line) + ": " + text;
    if (!step.direction.empty()) text += ", " + step.direction;
    if (step.bytes > 0) text += ", " + grouped(step.bytes) + " bytes";
    if (!step.formula.empty())
      text += "\n" + step.result + " seems to be " + shownText(step.formula);
    if (!step.note.empty()) text += "\n" + step.note;
    if (step.kind == ProgramStepKind::launch && step.ran) text += "\nA click shows its steps.";
    return text;
  }

  void choose(const ProgramStep& step) const {
    goToLine(context_, step.line);
    if (step.kind != ProgramStepKind::launch || !step.ran) return;
    if (context_.session.apply(model::command("program.launch", step.launch)))
      context_.ui.stage = Stage::scene;
  }

  const Context& context_;
  const ProgramView& view_;
  LaneColumns columns_;
  ImDrawList& list_;
  float row_;
};

/// The predicted time of the shown launch on a GPU.
void drawPredicted(const Context& context, const ProgramView& view) {
  const auto& predicted = context.snapshot.view<PredictedTimeView>();
  if (predicted.launch == 0 || predicted.text != *view.text || !predicted.range) return;
  const std::string time = model::rangeText(*predicted.range);
  const std::string note = model::rangeNote(*predicted.range);
  if (time.empty()) return hint(context, note);
  hint(context, "Launch " + std::to_string(predicted.launch) + " on " + predicted.range->on +
                    ": predicted to take " + time + ".");
  tooltip(context, note);
}

}  // namespace

void drawLanes(const Context& context, const ProgramView& view) {
  heading(context, "What the program does", view.summary->ran);
  if (!view.launchNote.empty()) warning(context, view.launchNote);
  drawPredicted(context, view);
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  LanesPicture picture(context, view);
  picture.drawHeads();
  compat::beginChild("steps", {0, 0}, false);
  picture.drawSteps();
  if (view.summary->stepsLeftOut > 0)
    hint(context, "and " + grouped(view.summary->stepsLeftOut) + " more");
  ImGui::EndChild();
  ImGui::PopFont();
}

}  // namespace tilestep::features
