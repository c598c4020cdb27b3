// SPDX-License-Identifier: Apache-2.0
#include "features/roofline/panel_points.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "features/roofline/panel_plot.h"

namespace tilestep::features {
namespace {

using metrics::Level;

/// The companion's points have this category's colour and a ring.
constexpr int kCompanionTint = 2;

gfx::Color tintOf(const RoofFrame& frame, const RoofPoint& at) {
  const gfx::Palette& p = frame.palette();
  if (at.companion) return p.category(kCompanionTint);
  return frame.isFocus(at) ? p.accent : p.text;
}

void drawPoint(RoofFrame& frame, const RoofPoint& at) {
  const double x = at.point.intensity.value, y = *at.flopPerSecond;
  const bool focus = frame.isFocus(at);
  const ImU32 tint = colour(tintOf(frame, at));
  // The line from the point to its roof shows unused potential, or what caches contribute. It is
  // dashed if the roof belongs to the model without caches.
  if (!at.bound && focus && at.attainable)
    frame.plot.segment(x, y, x, *at.attainable, tint, 1.5F, at.point.level == Level::lanes);
  // The lanes' mark is larger and behind the L1 mark, because their bytes are often equal.
  const float plain = at.point.level == Level::lanes ? 0.38F : 0.3F;
  const float radius = (focus ? 0.42F : plain) * frame.context.em;
  const bool hollow = at.point.hollow || at.bound;
  const Mark mark = markOf(at.point.level);
  if (frame.plot.point(x, y, mark, radius, tint, hollow || at.companion)) frame.hover = at.hover;
  if (at.companion && !hollow) frame.plot.point(x, y, mark, 0.4F * radius, tint, false);
}

/// Values below 1 have three digits, as in the lessons' texts: "0.246 FLOP/B".
std::string intensityOf(double value) {
  if (value >= 1) return toText(value, Unit::flopPerByte);
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g FLOP/B", value);
  return text.data();
}

/// "7.74 TFLOP/s at 255 FLOP/B", and its fraction of the roof.
std::string figuresOf(const RoofPoint& at) {
  std::string text = (at.bound ? "at most " : "") + toText(*at.flopPerSecond, Unit::flopPerSecond) +
                     "\nat " + intensityOf(at.point.intensity.value);
  if (!at.bound && at.attainable && at.point.level != Level::lanes)
    text += "\n" + toText(*at.flopPerSecond / *at.attainable, Unit::ratio) + " of the roof";
  return text;
}

}  // namespace

void drawTrail(RoofFrame& frame) {
  std::vector<const RoofTrace*> trail;
  for (const RoofTrace& at : frame.view.trail)
    if (at.level == frame.focus) trail.push_back(&at);
  const gfx::Palette& p = frame.palette();
  const float em = frame.context.em;
  const auto fade = [&](size_t i) {
    return 0.2F + 0.6F * static_cast<float>(i + 1) / static_cast<float>(trail.size());
  };
  for (size_t i = 1; i < trail.size(); ++i)
    frame.plot.segment(trail[i - 1]->flopPerByte, trail[i - 1]->flopPerSecond,
                       trail[i]->flopPerByte, trail[i]->flopPerSecond,
                       colour(p.mutedText, 0.5F * fade(i)), 1, false);
  for (size_t i = 0; i < trail.size(); ++i) {
    const bool newest = i + 1 == trail.size();
    const RoofTrace& at = *trail[i];
    if (frame.plot.point(at.flopPerByte, at.flopPerSecond, Mark::circle,
                         (newest ? 0.26F : 0.17F) * em, colour(p.mutedText, fade(i)), newest))
      frame.hover = "an earlier choice of this kernel: " + at.name + "\n" +
                    toText(at.flopPerSecond, Unit::flopPerSecond) + " at " +
                    toText(at.flopPerByte, Unit::flopPerByte) +
                    (at.bound ? ", a bound (computed)" : ", measured");
  }
  if (trail.empty()) return;
  const auto isNow = [&](const RoofPoint& at) {
    return !at.companion && at.point.level == frame.focus && at.flopPerSecond;
  };
  const auto now = std::ranges::find_if(frame.view.points, isNow);
  if (now != frame.view.points.end())
    frame.plot.segment(trail.back()->flopPerByte, trail.back()->flopPerSecond,
                       now->point.intensity.value, *now->flopPerSecond, colour(p.accent, 0.6F), 1,
                       false);
}

void drawRungs(RoofFrame& frame) {
  if (!frame.others) return;
  const gfx::Palette& p = frame.palette();
  for (const RoofTrace& at : frame.view.rungs) {
    if (at.level != frame.focus) continue;
    if (frame.plot.point(at.flopPerByte, at.flopPerSecond, Mark::square, 0.12F * frame.context.em,
                         colour(p.text, 0.8F), false))
      frame.hover = at.name + "\n" + toText(at.flopPerSecond, Unit::flopPerSecond) +
                    ", measured, at " + toText(at.flopPerByte, Unit::flopPerByte) + ", " + at.how;
  }
}

void drawPins(RoofFrame& frame) {
  const gfx::Palette& p = frame.palette();
  for (const RoofTrace& at : frame.view.pinned) {
    if (at.level != frame.focus) continue;
    const gfx::Color tint = p.category(static_cast<int>(at.colour));
    if (frame.plot.point(at.flopPerByte, at.flopPerSecond, markOf(at.level),
                         0.32F * frame.context.em, colour(tint), at.bound))
      frame.hover = "pinned: " + at.name + "\n" + toText(at.flopPerSecond, Unit::flopPerSecond) +
                    " at " + toText(at.flopPerByte, Unit::flopPerByte) + ", " +
                    metrics::toText(at.level) +
                    (at.bound ? "; a bound under these roofs (computed)" : "; measured");
  }
}

void drawPoints(RoofFrame& frame) {
  for (const bool focus : {false, true})
    for (const RoofPoint& at : frame.view.points)
      if (frame.shows(at) && frame.isFocus(at) == focus) drawPoint(frame, at);
}

void labelPoints(RoofFrame& frame) {
  const model::Snapshot& now = frame.context.snapshot;
  for (const bool companion : {false, true}) {
    const auto& result = companion ? now.figuresCompanion : now.figuresMain;
    const RoofPoint* named = nullptr;  // The highlighted point, otherwise the first.
    for (const RoofPoint& at : frame.view.points)
      if (at.companion == companion && frame.shows(at) &&
          (named == nullptr || at.point.level == frame.focus))
        named = &at;
    if (named == nullptr || !result) continue;
    const std::string kernel = model::shortNameOf(result->kernel);
    const double x = named->point.intensity.value, y = *named->flopPerSecond;
    const ImU32 ink = colour(frame.palette().text), box = colour(frame.palette().surface, 0.8F);
    const std::string whole = kernel + ", " + nameOf(named->point) + "\n" + figuresOf(*named);
    if (!frame.plot.label(x, y, whole, ink, box)) frame.plot.label(x, y, kernel, ink, box);
  }
}

void labelRungs(RoofFrame& frame) {
  if (!frame.others) return;
  const ImU32 ink = colour(frame.palette().mutedText);
  for (const RoofTrace& at : frame.view.rungs)
    if (at.level == frame.focus)
      frame.plot.label(at.flopPerByte, at.flopPerSecond, std::to_string(at.number), ink);
}

void labelPins(RoofFrame& frame) {
  if (!frame.large) return;  // A small plot shows names only when hovered.
  for (const RoofTrace& at : frame.view.pinned)
    if (at.level == frame.focus)
      frame.plot.label(at.flopPerByte, at.flopPerSecond, at.name,
                       colour(frame.palette().text, 0.85F));
}

}  // namespace tilestep::features
