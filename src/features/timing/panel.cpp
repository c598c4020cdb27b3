// SPDX-License-Identifier: Apache-2.0
// The stage: four bars for each launch of the lab on a common logarithmic axis.
#include "features/timing/panel.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/figure.h"
#include "model/timed_kernels.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/rich_text.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

using device::NamedValue;

constexpr const char* kAxisTitle = "time of one launch (logarithmic axis)";

std::string wayTime(double seconds) {
  return toText(seconds, Unit::seconds);
}

std::string valueText(const NamedValue& way) {
  return wayTime(way.median) + ", first " + wayTime(way.first);
}

std::string hoverOf(const TimingRow& row, const NamedValue& way) {
  return row.kernel + ", " + wayName(way.id) + ": median " + wayTime(way.median) + ", from " +
         wayTime(way.p10) + " (p10) to " + wayTime(way.p90) + " (p90), least " + wayTime(way.min) +
         "; " + grouped(way.count) + (way.count == 1 ? " sample" : " samples") +
         ".\nThe first sample after loading the kernel, " + wayTime(way.first) +
         ", is not included.\n" + way.method;
}

float widest(const TimingView& view, bool names) {
  float width = 0;
  for (const TimingRow& row : view.rows)
    for (const NamedValue& way : row.ways) {
      const std::string text = names ? wayName(way.id) : valueText(way);
      width = std::max(width, ImGui::CalcTextSize(text.c_str()).x);
    }
  return width;
}

/// Draws the picture in the small font, below the cursor.
class WaysPicture {
 public:
  /// `stretch` is the height of a bar's row, in lines of text.
  WaysPicture(const Context& context, const TimingColumns& columns, float stretch)
      : context_(context),
        columns_(columns),
        stretch_(stretch),
        list_(*ImGui::GetWindowDrawList()),
        left_(ImGui::GetCursorScreenPos().x),
        room_(ImGui::GetContentRegionAvail().x) {}

  void drawLaunch(const TimingRow& row) {
    drawTitle(row);
    if (row.ways.empty()) return mutedWrapped(context_, row.gap);
    for (size_t i = 0; i < row.ways.size(); ++i) drawWay(row, i);
  }

  void drawAxis() {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const gfx::Palette& p = context_.palette;
    const float tick = 0.3F * context_.em;
    list_.AddLine({x(columns_.axis.from), at.y}, {x(columns_.axis.to), at.y}, colour(p.mutedText));
    float free = left_;
    for (const double power : columns_.axis.ticks()) {
      const std::string text = wayTime(power);
      const float width = ImGui::CalcTextSize(text.c_str()).x, middle = x(power);
      const float right = left_ + room_;
      const float from = std::clamp(middle - width / 2, left_, std::max(right - width, left_));
      list_.AddLine({middle, at.y}, {middle, at.y + tick}, colour(p.mutedText));
      if (from < free) continue;
      list_.AddText({from, at.y + tick}, colour(p.mutedText), text.c_str());
      free = from + width + 0.8F * context_.em;
    }
    const float line = ImGui::GetTextLineHeight();
    const float spare = columns_.width - ImGui::CalcTextSize(kAxisTitle).x;
    list_.AddText({left_ + std::max(columns_.bars + spare / 2, 0.0F), at.y + tick + line},
                  colour(p.mutedText), kAxisTitle);
    ImGui::Dummy({room_, tick + 2 * line});
  }

 private:
  [[nodiscard]] float x(double seconds) const { return left_ + columns_.x(seconds); }

  void drawTitle(const TimingRow& row) {
    compat::pushFont(context_.fonts.strong, context_.fonts.smallPixels);
    wrapped(row.kernel + (row.sizes.empty() ? "" : ", " + row.sizes) +
            (row.tunables.empty() ? "" : ", " + row.tunables));
    ImGui::PopFont();
  }

  void drawWay(const TimingRow& row, size_t index) {
    const NamedValue& way = row.ways[index];
    const gfx::Palette& p = context_.palette;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float line = ImGui::GetTextLineHeight(), height = stretch_ * line;
    const float middle = at.y + height / 2, text = middle - line / 2;
    const gfx::Color fill = p.category(static_cast<int>(index % 8));
    list_.AddText({at.x, text}, colour(p.text), wayName(way.id).c_str());
    list_.AddRectFilled({x(columns_.axis.from), at.y + 0.15F * height},
                        {x(way.median), at.y + 0.85F * height}, colour(fill));
    drawWhisker(way, middle, 0.25F * height);
    list_.AddCircle({x(way.first), middle}, 0.28F * line, colour(p.text), 0,
                    std::max(0.08F * context_.em, 1.0F));
    list_.AddText({left_ + columns_.values, text}, colour(p.text), valueText(way).c_str());
    ImGui::Dummy({room_, height});
    tooltip(context_, hoverOf(row, way));
  }

  void drawWhisker(const NamedValue& way, float y, float cap) {
    const ImU32 ink = colour(context_.palette.text);
    const float from = x(way.p10), to = x(way.p90);
    list_.AddLine({from, y}, {to, y}, ink);
    for (const float end : {from, to}) list_.AddLine({end, y - cap}, {end, y + cap}, ink);
  }

  const Context& context_;
  const TimingColumns& columns_;
  float stretch_;
  ImDrawList& list_;
  float left_, room_;
};

/// The stretch that fills the height, within limits. Measured in the font in use.
float stretchOf(const Context& context, const TimingView& view) {
  constexpr float kLeast = 1, kMost = 1.8F, kBelowBars = 6;  // Lines of axis and hints.
  const float line = ImGui::GetTextLineHeight(), gap = ImGui::GetStyle().ItemSpacing.y;
  float bars = 0, used = kBelowBars * (line + gap);
  for (const TimingRow& row : view.rows) {
    bars += static_cast<float>(row.ways.size());
    used += line + gap + 0.4F * context.em;
  }
  const float room = ImGui::GetContentRegionAvail().y - used - bars * gap;
  return std::clamp(room / std::max(bars * line, 1.0F), kLeast, kMost);
}

void drawPicture(const Context& context, const TimingView& view) {
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  const TimingColumns columns =
      timingColumns(ImGui::GetContentRegionAvail().x, widest(view, true), widest(view, false),
                    context.em, timingAxisOf(view.rows));
  WaysPicture picture(context, columns, stretchOf(context, view));
  for (const TimingRow& row : view.rows) {
    picture.drawLaunch(row);
    ImGui::Dummy({0, 0.4F * context.em});
  }
  picture.drawAxis();
  ImGui::PopFont();
  hint(context,
       "Bar: the median. Line: from the 10th to the 90th percentile. Ring: the first sample after "
       "the kernel was loaded, which is not included.");
}

std::string devicesOf(const TimingView& view) {
  std::vector<std::string> devices;
  for (const TimingRow& row : view.rows) devices.push_back(row.on);
  return model::timedOnText(devices);
}

}  // namespace

std::vector<LegendMark> timingMarks(const Context& context) {
  const auto& view = context.snapshot.view<TimingView>();
  const bool hasTimes =
      std::ranges::any_of(view.rows, [](const TimingRow& row) { return !row.ways.empty(); });
  if (!hasTimes) return {};
  const gfx::Palette& p = context.palette;
  return {{"the median of the samples", filled(p.category(0))},
          {"from the 10th to the 90th percentile", ruled(p.text, 2)},
          {"the first sample after the kernel was loaded", plotMark(Mark::circle, p.text, true)}};
}

void drawTiming(const Context& context) {
  const auto& view = context.snapshot.view<TimingView>();
  if (!view.sentence.empty()) richText(context, view.sentence, Setting::sentence);
  const bool hasTimes =
      std::ranges::any_of(view.rows, [](const TimingRow& row) { return !row.ways.empty(); });
  if (!hasTimes) return;
  hint(context, devicesOf(view));
  ImGui::Dummy({0, 0.1F * context.em});
  drawPicture(context, view);
}

TimingColumns timingColumns(float room, float names, float values, float gap,
                            const TimingAxis& axis) {
  TimingColumns columns;
  columns.bars = names + gap;
  columns.width = std::max(room - columns.bars - gap - values, room / 4);
  columns.values = columns.bars + columns.width + gap;
  columns.axis = axis;
  return columns;
}

}  // namespace tilestep::features

namespace tilestep::features::timing {
namespace {

using nlohmann::json;

class TimingPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::optional<Stage> stage() const override { return Stage::timing; }
  [[nodiscard]] const char* stageHover() const override {
    return "The same launch timed in four ways";
  }
  [[nodiscard]] std::vector<LegendMark> marks(const Context& context) const override {
    return timingMarks(context);
  }
  void drawStage(const Context& context) const override { drawTiming(context); }
  void watch(const Context& context, bool isShown) const override {
    context.session.apply(model::command("timing.watch", isShown));
  }
  void addState(const model::Snapshot& now, const UiState& /*ui*/, json& to) const override {
    const auto& view = now.view<TimingView>();
    if (view.rows.empty()) return;
    json& timing = to["timing"];
    timing = {{"sentence", view.sentence}, {"launches", json::array()}};
    for (const TimingRow& row : view.rows)
      timing["launches"].push_back({{"kernel", row.kernel}, {"ways", row.ways.size()}});
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<TimingPanel>();
}

}  // namespace tilestep::features::timing
