// SPDX-License-Identifier: Apache-2.0
#include "features/timeline/panel_picture.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/figure.h"
#include "features/occupancy/occupancy_view.h"
#include "features/timeline/panel_layout.h"
#include "features/timeline/timeline_view.h"
#include "metrics/timeline.h"
#include "model/choice/planning.h"
#include "model/timeline_figures.h"
#include "ui/kit/plot.h"
#include "ui/kit/ticks.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

using trace::StepKind;

/// Rounds to the clock's tick, unlike toText.
std::string pictureTime(double ns) {
  char text[40];
  if (ns < 1e7)
    std::snprintf(text, sizeof text, "%.2f µs", ns / 1e3);
  else
    std::snprintf(text, sizeof text, "%.3f ms", ns / 1e6);
  return text;
}

/// The layout of the picture, in screen pixels.
struct PictureFrame {
  ImVec2 lanes, lanesEnd;  ///< Blocks.
  ImVec2 warps, warpsEnd;  ///< Resident warps. The height is 0 if they do not fit.
  float strip = 0;         ///< Space above the lanes for the tail's name.
  float axis = 0;          ///< Top of the time axis's labels.
  [[nodiscard]] float width() const { return lanesEnd.x - lanes.x; }
  [[nodiscard]] float x(const TimelineRange& range, double ns) const {
    return lanes.x + static_cast<float>((ns - range.fromNs) / range.ns()) * width();
  }
  [[nodiscard]] double ns(const TimelineRange& range, float at) const {
    return range.fromNs + static_cast<double>((at - lanes.x) / width()) * range.ns();
  }
};

PictureFrame frameOf(const Context& context, const TimelineView& view, ImVec2 at, float width,
                     float height) {
  const float em = context.fonts.smallPixels;
  const std::string widest = "SM " + std::to_string(view.timeline.multiprocessors - 1);
  const float gutter = ImGui::CalcTextSize(widest.c_str()).x + 0.6F * em;
  const float warps = height > 16 * em ? std::clamp(0.2F * height, 4 * em, 8 * em) : 0;
  const float between = warps > 0 ? 1.7F * em : 0;  // Space for the title of the warps.
  const float axis = 1.5F * em;
  PictureFrame frame;
  frame.strip = at.y;
  frame.lanes = {at.x + gutter, at.y + 1.4F * em};
  frame.axis = at.y + height - axis + 0.2F * em;
  frame.warpsEnd = {at.x + width, at.y + height - axis};
  frame.warps = {frame.lanes.x, frame.warpsEnd.y - warps};
  frame.lanesEnd = {frame.warpsEnd.x, frame.warps.y - between};
  return frame;
}

void drawBar(const Context& context, const TimelineBar& bar, const PictureFrame& frame) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float height = bar.y1 - bar.y0, width = bar.x1 - bar.x0;
  const bool single = bar.block != TimelineBar::kMany;
  const float gapX = single && width > 4 ? 1.0F : 0.0F, gapY = height >= 6 ? 1.0F : 0.0F;
  const bool levels = !single && height > 6;  // Without levels, opacity shows the fraction.
  const float top = levels ? bar.y1 - gapY - (height - gapY) * bar.share : bar.y0;
  const gfx::Color shade = waveShade(context.palette, bar.wave);
  list.AddRectFilled({frame.lanes.x + bar.x0, frame.lanes.y + top},
                     {frame.lanes.x + bar.x1 - gapX, frame.lanes.y + bar.y1 - gapY},
                     colour(shade, levels ? 1 : bar.share));
}

/// Writes the name of a block if it fits.
void drawName(const Context& context, const TimelineView& view, const TimelineBar& bar,
              const PictureFrame& frame) {
  if (bar.block == TimelineBar::kMany || bar.y1 - bar.y0 < 1.3F * context.fonts.smallPixels) return;
  const Dim3 at = view.blockAt(bar.block);
  char text[48];
  std::snprintf(text, sizeof text, "%u, %u", at.x, at.y);
  const ImVec2 size = ImGui::CalcTextSize(text);
  if (size.x + 0.6F * context.em > bar.x1 - bar.x0) return;
  const gfx::Color shade = waveShade(context.palette, bar.wave);
  ImGui::GetWindowDrawList()->AddText({frame.lanes.x + (bar.x0 + bar.x1 - size.x) / 2,
                                       frame.lanes.y + (bar.y0 + bar.y1 - size.y) / 2},
                                      colour(gfx::textOn(shade)), text);
}

StepKind kindOf(const TimelineStage& stage, uint32_t epoch) {
  const TimelineView& view = *stage.view;
  if (stage.kinds.empty()) return StepKind::whole;
  if (epoch < stage.kindsBefore.size()) return stage.kindsBefore[epoch];
  const std::optional<uint32_t> position = view.timeline.positionInPhase(epoch);
  return position && *position < stage.kinds.size() ? stage.kinds[*position] : StepKind::writeBack;
}

gfx::Color colourOf(const gfx::Palette& p, StepKind kind, uint32_t epoch) {
  switch (kind) {
    case StepKind::load:
      return p.category(0);
    case StepKind::compute:
      return p.category(1);
    case StepKind::writeBack:
      return p.category(2);
    case StepKind::whole:
      return p.category(epoch % 2 == 0 ? 4 : 5);
  }
  return p.category(0);
}

/// Work is filled; waiting at the barrier is an empty frame.
void drawEpoch(const Context& context, const TimelineStage& stage, const EpochBar& bar,
               const PictureFrame& frame) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const gfx::Palette& p = context.palette;
  const StepKind kind = kindOf(stage, bar.epoch);
  const gfx::Color base = colourOf(p, kind, bar.epoch);
  const float gap = bar.y1 - bar.y0 > 5 ? 1.0F : 0.0F;
  const ImVec2 min{frame.lanes.x + bar.x0, frame.lanes.y + bar.y0 + gap};
  const ImVec2 wait{frame.lanes.x + bar.xWait, frame.lanes.y + bar.y1 - gap};
  const ImVec2 end{frame.lanes.x + bar.x1, wait.y};
  const gfx::Color fill = gfx::mix(p.surface, base, 0.6F);
  list.AddRectFilled(min, wait, colour(fill));
  if (kind == StepKind::compute && wait.x - min.x > 8)
    hatch(list, min, wait, colour(base, 0.5F), 0.5F * context.em);
  list.AddRectFilled({wait.x, min.y}, end, colour(p.surface));
  if (end.x - wait.x > 2) list.AddRect({wait.x, min.y}, end, colour(base, 0.6F));
  const float room = bar.y1 - bar.y0;
  if (room < 1.3F * context.fonts.smallPixels) return;
  const auto name = [&](std::string text, float left, float right, ImU32 ink) {
    const float space = right - left - 0.4F * context.em;
    if (ImGui::CalcTextSize(text.c_str()).x > space)
      text = text.substr(0, 1) == "e" ? "" : text.substr(0, 1);  // Not "e" of "epoch 5".
    if (!text.empty() && text.size() == 1) text[0] = static_cast<char>(text[0] - 'a' + 'A');
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    if (text.empty() || size.x > space) return;
    list.AddText({(left + right - size.x) / 2, frame.lanes.y + (bar.y0 + bar.y1 - size.y) / 2}, ink,
                 text.c_str());
  };
  // A name is placed in the visible part of its epoch.
  name(epochName(stage, bar.epoch), min.x, wait.x, colour(gfx::textOn(fill)));
  if (end.x - wait.x > 3 * context.em) name("waits", wait.x, end.x, colour(p.mutedText));
}

void drawTail(const Context& context, const TimelineNow& now, const PictureFrame& frame) {
  const TimelineView& view = now.view;
  if (view.tailNs >= view.spanNs) return;
  const gfx::Palette& p = context.palette;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float from = std::clamp(frame.x(now.range, static_cast<double>(view.tailNs)), frame.lanes.x,
                                frame.lanesEnd.x);
  const float to = std::clamp(frame.x(now.range, static_cast<double>(view.spanNs)), frame.lanes.x,
                              frame.lanesEnd.x);
  if (to - from < 1) return;
  list.AddRectFilled({from, frame.lanes.y}, {to, frame.lanesEnd.y}, colour(p.text, 0.06F));
  list.AddLine({from, frame.strip + 0.3F * context.em}, {from, frame.warpsEnd.y},
               colour(p.strongLine), 1.5F);
  const double share =
      static_cast<double>(view.spanNs - view.tailNs) / static_cast<double>(view.spanNs);
  const std::string text = "tail " + toText(share, Unit::ratio);
  const float width = ImGui::CalcTextSize(text.c_str()).x, space = 0.4F * context.em;
  const bool fits = from + space + width <= frame.lanesEnd.x;  // Otherwise it is left of the line.
  list.AddText({fits ? from + space : std::max(from - space - width, frame.lanes.x), frame.strip},
               colour(p.text), text.c_str());
}

/// Writes the numbers of multiprocessors as densely as their labels fit.
void drawMultiprocessors(const Context& context, const TimelineNow& now,
                         const PictureFrame& frame) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float height = frame.lanesEnd.y - frame.lanes.y;
  const double pixels = static_cast<double>(height) / now.range.sms();
  const double least = 1.4 * static_cast<double>(context.fonts.smallPixels) / pixels;
  const auto step = static_cast<uint32_t>(least <= 1 ? 1 : std::lround(roundUp(least)));
  const ImU32 ink = colour(context.palette.mutedText);
  for (uint32_t sm = 0; sm < now.view.timeline.multiprocessors; sm += step) {
    const double top = (sm - now.range.fromSm) * pixels;
    if (top + pixels <= 0 || top >= height) continue;
    // Centred on the visible part of the SM's lane.
    const double shown = (std::max(top, 0.0) + std::min(top + pixels, double{height})) / 2;
    const std::string text = "SM " + std::to_string(sm);
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    const float y = std::clamp(frame.lanes.y + static_cast<float>(shown) - size.y / 2,
                               frame.lanes.y - size.y / 2, frame.lanesEnd.y - size.y);
    list.AddText({frame.lanes.x - size.x - 0.4F * context.em, y}, ink, text.c_str());
    if (pixels > 6 && top > 0 && top < height)
      list.AddLine({frame.lanes.x, frame.lanes.y + static_cast<float>(top)},
                   {frame.lanesEnd.x, frame.lanes.y + static_cast<float>(top)},
                   colour(context.palette.background), 2);
  }
}

void drawTimes(const Context& context, const TimelineNow& now, const PictureFrame& frame) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 ink = colour(context.palette.mutedText);
  const double unit = now.range.toNs < 2000 ? 1 : now.range.toNs < 2e6 ? 1e3 : 1e6;
  const char* name = unit < 2 ? "ns" : unit < 2e3 ? "µs" : "ms";
  const float nameWidth = ImGui::CalcTextSize(name).x;
  list.AddText({frame.lanesEnd.x - nameWidth, frame.axis}, ink, name);
  const int most = std::max(2, static_cast<int>(frame.width() / (6 * context.em)));
  const auto ticks = linearTicks(now.range.fromNs / unit, now.range.toNs / unit, most);
  const double step = ticks.size() > 1 ? ticks[1].value - ticks[0].value : now.range.ns() / unit;
  const int digits = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-6)), 0, 6);
  float free = frame.lanes.x - 0.5F * context.em;
  for (const Tick& tick : ticks) {
    const float x = frame.x(now.range, tick.value * unit);
    list.AddLine({x, frame.lanesEnd.y}, {x, frame.lanesEnd.y + 0.25F * context.em}, ink);
    list.AddLine({x, frame.warpsEnd.y}, {x, frame.warpsEnd.y + 0.25F * context.em}, ink);
    if (tick.label.empty()) continue;
    char text[40];
    std::snprintf(text, sizeof text, "%.*f", digits, tick.value);
    const float width = ImGui::CalcTextSize(text).x;
    const float left = std::max(x - width / 2, frame.lanes.x);
    if (left < free || left + width > frame.lanesEnd.x - nameWidth - 0.5F * context.em) continue;
    list.AddText({left, frame.axis}, ink, text);
    free = left + width + 0.8F * context.em;
  }
}

/// The computed number of resident warps; absent if it belongs to another device or launch.
std::optional<double> warpsAllowed(const Context& context, const TimelineView& view) {
  const model::Snapshot& now = context.snapshot;
  const auto* occupancy = now.views.get<OccupancyView>();
  if (occupancy == nullptr || occupancy->fromDataSheet || now.figuresStale ||
      now.view<TimelineStage>().stale)
    return std::nullopt;
  if (occupancy->warpsMax != view.timeline.maxWarps) return std::nullopt;
  return occupancy->warps;
}

void drawWarps(const Context& context, const TimelineNow& now, const PictureFrame& frame) {
  const float height = frame.warpsEnd.y - frame.warps.y;
  if (height <= 0) return;
  const gfx::Palette& p = context.palette;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const trace::Timeline& t = now.view.timeline;
  list.AddRectFilled(frame.warps, frame.warpsEnd, colour(p.text, 0.025F));
  const double most = std::max(t.maxWarps, 1U);
  constexpr float kColumn = 2;
  for (float x = 0; x < frame.width(); x += kColumn) {
    const float to = std::min(x + kColumn, frame.width());
    const double mean = now.view.warps.mean(frame.ns(now.range, frame.lanes.x + x),
                                            frame.ns(now.range, frame.lanes.x + to)) /
                        t.multiprocessors;
    const auto y = static_cast<float>(std::min(mean / most, 1.0)) * height;
    if (mean > 0)
      list.AddRectFilled({frame.lanes.x + x, frame.warpsEnd.y - std::max(y, 1.5F)},
                         {frame.lanes.x + to, frame.warpsEnd.y}, colour(p.category(0), 0.55F));
  }
  const auto allowed = warpsAllowed(context, now.view);
  if (allowed) {
    const float y = frame.warpsEnd.y - static_cast<float>(*allowed / most) * height;
    for (float x = frame.warps.x; x < frame.warpsEnd.x; x += 0.8F * context.em)
      list.AddLine({x, y}, {std::min(x + 0.4F * context.em, frame.warpsEnd.x), y}, colour(p.text),
                   1.5F);
  }
  list.AddRect(frame.warps, frame.warpsEnd, colour(p.line));
  std::string title = "resident warps of an SM, mean of " + std::to_string(t.multiprocessors);
  if (allowed) title += "; dashed: " + std::to_string(std::lround(*allowed)) + " (computed)";
  list.AddText({frame.warps.x, frame.warps.y - 1.3F * context.fonts.smallPixels}, colour(p.text),
               cutTo(title, frame.width()).c_str());
  for (const uint32_t half : {0U, 1U, 2U}) {
    const std::string text = std::to_string(half * t.maxWarps / 2);
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    const float share = static_cast<float>(half) / 2;
    const float y = frame.warpsEnd.y - size.y + share * (frame.warps.y - frame.warpsEnd.y + size.y);
    list.AddText({frame.warps.x - size.x - 0.4F * context.em, y}, colour(p.mutedText),
                 text.c_str());
  }
}

void drawChosen(const Context& context, const TimelineNow& now, const PictureFrame& frame) {
  if (!now.chosen) return;
  const trace::Timeline& t = now.view.timeline;
  const double perSm = now.view.lanes.lanesPerSm;
  const double lane = t.sm[*now.chosen] + now.view.lanes.lane[*now.chosen] / perSm;
  const double pixels = static_cast<double>(frame.lanesEnd.y - frame.lanes.y) / now.range.sms();
  float x0 = frame.x(now.range, static_cast<double>(t.startNs[*now.chosen]));
  float x1 = frame.x(now.range, static_cast<double>(t.endNs[*now.chosen]));
  float y0 = frame.lanes.y + static_cast<float>((lane - now.range.fromSm) * pixels);
  float y1 = y0 + static_cast<float>(pixels / perSm);
  // Makes the block wide enough to be noticed.
  const auto widen = [](float& from, float& to, float least) {
    const float more = std::max(least - (to - from), 0.0F) / 2;
    from -= more;
    to += more;
  };
  widen(x0, x1, 0.5F * context.em);
  widen(y0, y1, 0.5F * context.em);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(frame.lanes, frame.lanesEnd, true);
  compat::strokeRect(list, {x0 - 1, y0 - 1}, {x1 + 1, y1 + 1}, colour(context.palette.surface), 0,
                     4.0F);
  compat::strokeRect(list, {x0 - 1, y0 - 1}, {x1 + 1, y1 + 1}, colour(context.palette.chosen), 0,
                     2.0F);
  list.PopClipRect();
}

std::string epochsText(const TimelineStage& stage, uint32_t block) {
  const TimelineView& view = *stage.view;
  const trace::Timeline& t = view.timeline;
  const double all = static_cast<double>(t.busyWarpCycles[block] + t.waitWarpCycles[block]);
  std::string text;
  if (const auto row = view.rowOf(block); row && metrics::phaseTime(t, *row))
    text = "\nShares of its warps' time: " +
           TimelineView::sharesText(*metrics::phaseTime(t, *row), phaseNames(stage)) + ".";
  else if (all > 0)
    text = "\nIts warps waited at barriers for " +
           toText(static_cast<double>(t.waitWarpCycles[block]) / all, Unit::ratio) +
           " of their time.";
  if (view.rowOf(block))
    return text + "\n" + grouped(t.epochs) + " epochs were timed: zoom in to see them.";
  return text + (t.rows() == 0
                     ? "\nNo epochs were kept for this launch."
                     : "\nIts epochs were not kept; those of " + model::keptBlocks(t) + " were.");
}

void tell(const Context& context, const TimelineNow& now, const PictureFrame& frame, ImVec2 mouse) {
  const TimelineView& view = now.view;
  const double ns = frame.ns(now.range, mouse.x);
  const double share =
      static_cast<double>((mouse.y - frame.lanes.y) / (frame.lanesEnd.y - frame.lanes.y));
  ImGui::GetWindowDrawList()->AddLine({mouse.x, frame.lanes.y}, {mouse.x, frame.warpsEnd.y},
                                      colour(context.palette.text, 0.4F));
  char warps[96];
  // Interrupted blocks or a coarse clock may give a number above the limit.
  const double resident = std::min(view.warps.at(ns) / view.timeline.multiprocessors,
                                   static_cast<double>(view.timeline.maxWarps));
  std::snprintf(warps, sizeof warps, "%.1f of %u warps per SM are resident on average.", resident,
                view.timeline.maxWarps);
  const double sm = now.range.fromSm + share * now.range.sms();
  std::string text = "At " + pictureTime(ns) + ". " + warps;
  if (share >= 0 && share < 1) {
    if (const auto block = blockUnder(view, ns, sm))
      text = blockText(view, *block) + "." +
             epochsText(context.snapshot.view<TimelineStage>(), *block) + "\n" + text;
    else
      text = "SM " + std::to_string(static_cast<uint32_t>(sm)) + " has no block here.\n" + text;
  }
  showTooltip(context, text + "\n" + view.origin);
}

void takePointer(const Context& context, const TimelineNow& now, const PictureFrame& frame) {
  auto& look = context.ui.looks.of<TimelineLook>();
  const ImGuiIO& io = ImGui::GetIO();
  const float height = frame.lanesEnd.y - frame.lanes.y;
  const bool hovered = ImGui::IsItemHovered();
  const double x = static_cast<double>((io.MousePos.x - frame.lanes.x) / frame.width());
  const double y =
      std::clamp(static_cast<double>((io.MousePos.y - frame.lanes.y) / height), 0.0, 1.0);
  const float wheel = io.MouseWheel + io.MouseWheelH;
  if (hovered && wheel != 0) {
    const ZoomAxes axes = io.KeyCtrl    ? ZoomAxes::time
                          : io.KeyShift ? ZoomAxes::multiprocessors
                                        : ZoomAxes::both;
    look.range = zoomed(now.view, now.range, std::clamp(x, 0.0, 1.0), y,
                        std::pow(1.25, static_cast<double>(wheel)), axes);
  }
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left))
    look.range = panned(now.view, now.range, -static_cast<double>(io.MouseDelta.x / frame.width()),
                        -static_cast<double>(io.MouseDelta.y / height));
  const bool clicked =
      ImGui::IsItemDeactivated() && hovered &&
      io.MouseDragMaxDistanceSqr[0] < io.MouseDragThreshold * io.MouseDragThreshold;
  if (!clicked || io.MousePos.y >= frame.lanesEnd.y) return;
  const auto block = blockUnder(now.view, frame.ns(now.range, io.MousePos.x),
                                now.range.fromSm + y * now.range.sms());
  if (!block) return;
  look.chosen = block;
  if (context.snapshot.view<TimelineStage>().sameGrid)
    context.session.apply(model::command("timeline.block", now.view.blockAt(*block)));
}

}  // namespace

gfx::Color waveShade(const gfx::Palette& p, float wave) {
  const float odd = 1 - std::abs(std::fmod(wave, 2.0F) - 1);
  return gfx::mix(p.surface, p.text, 0.5F - 0.24F * odd);
}

TimelineNow timelineNow(const model::Snapshot& snapshot, const TimelineLook& look) {
  const TimelineStage& stage = snapshot.view<TimelineStage>();
  const bool same = look.of == stage.view;
  TimelineNow now{*stage.view, wholeRange(*stage.view), std::nullopt};
  if (same && look.range) now.range = *look.range;
  if (stage.sameGrid)
    now.chosen = stage.view->indexOf(model::clampToGrid(snapshot.choice.block, stage.view->grid));
  else if (same)
    now.chosen = look.chosen;
  return now;
}

std::string epochName(const TimelineStage& stage, uint32_t epoch) {
  switch (kindOf(stage, epoch)) {
    case StepKind::load:
      return "load";
    case StepKind::compute:
      return "compute";
    case StepKind::writeBack:
      return "write-back";
    case StepKind::whole:
      break;
  }
  return "epoch " + std::to_string(epoch);
}

TimelineView::EpochName phaseNames(const TimelineStage& stage) {
  return [&stage](uint32_t epoch) {
    return epochName(stage, stage.view->timeline.epochsBefore + epoch);
  };
}

std::string blockText(const TimelineView& view, uint32_t block) {
  const trace::Timeline& t = view.timeline;
  const Dim3 at = view.blockAt(block);
  const auto time = [](uint64_t ns) { return pictureTime(static_cast<double>(ns)); };
  return "Block (" + std::to_string(at.x) + ", " + std::to_string(at.y) +
         (view.grid.z > 1 ? ", " + std::to_string(at.z) : "") + ") on SM " +
         std::to_string(t.sm[block]) + ": wave " + std::to_string(view.lanes.wave[block] + 1) +
         " of " + std::to_string(view.waveCount) + ", from " + time(t.startNs[block]) + " to " +
         time(t.endNs[block]) + ", takes " + time(t.endNs[block] - t.startNs[block]);
}

void drawTimelinePicture(const Context& context, const TimelineNow& now, float height) {
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = std::max(ImGui::GetContentRegionAvail().x, 1.0F);
  const PictureFrame frame = frameOf(context, now.view, at, width, height);
  ImGui::InvisibleButton("##timeline", {width, height});
  takePointer(context, now, frame);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(frame.lanes, frame.lanesEnd, colour(context.palette.text, 0.025F));
  const TimelineBars bars = layOutTimeline(now.view, now.range, frame.width(),
                                           frame.lanesEnd.y - frame.lanes.y, context.em);
  drawTail(context, now, frame);
  for (const TimelineBar& bar : bars.bars) drawBar(context, bar, frame);
  if (bars.epochs.empty())
    for (const TimelineBar& bar : bars.bars) drawName(context, now.view, bar, frame);
  for (const EpochBar& bar : bars.epochs)
    drawEpoch(context, context.snapshot.view<TimelineStage>(), bar, frame);
  drawMultiprocessors(context, now, frame);
  drawWarps(context, now, frame);
  drawTimes(context, now, frame);
  list.AddRect(frame.lanes, frame.lanesEnd, colour(context.palette.strongLine));
  drawChosen(context, now, frame);
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool inside = mouse.x >= frame.lanes.x && mouse.x < frame.lanesEnd.x &&
                      mouse.y >= frame.lanes.y && mouse.y < frame.warpsEnd.y;
  ImGui::PopFont();
  if (ImGui::IsItemHovered() && !ImGui::IsItemActive() && inside) tell(context, now, frame, mouse);
}

}  // namespace tilestep::features
