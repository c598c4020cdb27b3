// SPDX-License-Identifier: Apache-2.0
#include "features/timeline/panel_layout.h"

#include <algorithm>
#include <cmath>

#include "metrics/timeline.h"

namespace tilestep::features {
namespace {

constexpr float kLeastLane = 0.19F;    // em. Lanes lower than this do not show single blocks.
constexpr float kLeastColumn = 0.15F;  // em.
constexpr float kLeastEpoch = 2;       // Pixels.
constexpr double kLevels = 16;         // Levels of a bar's occupied fraction, for merging.

double endOf(const TimelineView& view, uint32_t block) {
  return static_cast<double>(
      std::max(view.timeline.endNs[block], view.timeline.startNs[block] + 1));
}

double startOf(const TimelineView& view, uint32_t block) {
  return static_cast<double>(view.timeline.startNs[block]);
}

/// Resizes [from, to) to `length`, keeps `at` at fraction `share`, and stays within [0, end].
void place(double& from, double& to, double at, double share, double length, double end) {
  length = std::min(length, end);
  from = std::clamp(at - share * length, 0.0, end - length);
  to = from + length;
}

/// The range of visible lanes. A lane is a block slot of an SM.
struct Lanes {
  uint32_t first = 0, last = 0;  ///< One past the last visible lane.
};

Lanes lanesOf(const TimelineView& view, const TimelineRange& range) {
  const double perSm = view.lanes.lanesPerSm;
  const double all = perSm * view.timeline.multiprocessors;
  return {static_cast<uint32_t>(std::clamp(std::floor(range.fromSm * perSm + 1e-9), 0.0, all)),
          static_cast<uint32_t>(std::clamp(std::ceil(range.toSm * perSm - 1e-9), 0.0, all))};
}

/// The visible blocks in the lane.
std::span<const uint32_t> visibleOf(const TimelineView& view, uint32_t lane,
                                    const TimelineRange& range) {
  const uint32_t perSm = view.lanes.lanesPerSm;
  const std::span<const uint32_t> own = view.lanes.blocksOf(lane / perSm, lane % perSm);
  const auto first =
      std::ranges::upper_bound(own, range.fromNs, {}, [&](uint32_t b) { return endOf(view, b); });
  const auto last =
      std::ranges::lower_bound(own, range.toNs, {}, [&](uint32_t b) { return startOf(view, b); });
  if (first >= last) return {};
  return {first, last};
}

size_t visibleBlocks(const TimelineView& view, const TimelineRange& range) {
  size_t count = 0;
  const Lanes lanes = lanesOf(view, range);
  for (uint32_t lane = lanes.first; lane < lanes.last; ++lane)
    count += visibleOf(view, lane, range).size();
  return count;
}

class Layout {
 public:
  Layout(const TimelineView& view, const TimelineRange& range, float width, float height, float em)
      : view_(view), range_(range), width_(width), height_(height), em_(em) {}

  TimelineBars make() {
    const auto perSm = static_cast<float>(view_.lanes.lanesPerSm);
    out_.laneHeight = height_ / static_cast<float>(range_.sms()) / perSm;
    const bool single =
        out_.laneHeight >= kLeastLane * em_ && visibleBlocks(view_, range_) <= TimelineBars::kMost;
    if (single) {
      out_.detail = TimelineDetail::blocks;
      addBlocks();
      return std::move(out_);
    }
    for (float column = kLeastColumn * em_; column < width_; column *= 2) {
      out_.bars.clear();
      if (addMeans(column)) break;
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] float x(double ns) const {
    const double share = (ns - range_.fromNs) / range_.ns();
    return static_cast<float>(std::clamp(share, 0.0, 1.0)) * width_;
  }
  [[nodiscard]] float y(double sm) const {
    const double share = (sm - range_.fromSm) / range_.sms();
    // Rounds to whole pixels, so that all lanes look the same.
    return std::round(static_cast<float>(std::clamp(share, 0.0, 1.0)) * height_);
  }

  void addBlocks() {
    const Lanes lanes = lanesOf(view_, range_);
    const double perSm = view_.lanes.lanesPerSm;
    for (uint32_t lane = lanes.first; lane < lanes.last; ++lane) {
      TimelineBar bar;
      bar.y0 = y(lane / perSm);
      bar.y1 = y((lane + 1) / perSm);
      for (const uint32_t block : visibleOf(view_, lane, range_)) {
        bar.x0 = x(startOf(view_, block));
        bar.x1 = std::max(x(endOf(view_, block)), bar.x0 + 1);
        bar.block = block;
        bar.wave = static_cast<float>(view_.lanes.wave[block]);
        out_.bars.push_back(bar);
        addEpochs(bar);
      }
    }
  }

  void addEpochs(const TimelineBar& bar) {
    const std::optional<size_t> row = view_.rowOf(bar.block);
    const double px = (endOf(view_, bar.block) - startOf(view_, bar.block)) / range_.ns() *
                      static_cast<double>(width_);
    if (!row || px < kLeastEpoch * view_.timeline.epochs || bar.y1 - bar.y0 < 0.5F * em_) return;
    const std::vector<metrics::EpochSpan> spans = metrics::epochSpans(view_.timeline, *row);
    for (uint32_t e = 0; e < spans.size(); ++e) {
      if (spans[e].endNs < range_.fromNs || spans[e].startNs > range_.toNs) continue;
      if (out_.epochs.size() >= TimelineBars::kMost) return;
      out_.epochs.push_back({x(spans[e].startNs), x(spans[e].waitNs), x(spans[e].endNs), bar.y0,
                             bar.y1, bar.block, e});
    }
  }

  /// Adds averages for each SM. Returns false if there are too many bars.
  bool addMeans(float column) {
    const auto first = static_cast<uint32_t>(std::max(0.0, std::floor(range_.fromSm + 1e-9)));
    const auto last = std::min(view_.timeline.multiprocessors,
                               static_cast<uint32_t>(std::ceil(range_.toSm - 1e-9)));
    for (uint32_t sm = first; sm < last; ++sm) {
      addMeans(sm, column);
      if (out_.bars.size() > TimelineBars::kMost) return false;
    }
    return true;
  }

  void addMeans(uint32_t sm, float column) {
    const metrics::StepSeries& blocks = view_.blocksOfSm[sm];
    const metrics::StepSeries& waves = view_.wavesOfSm[sm];
    const double step = range_.ns() * static_cast<double>(column / width_);
    TimelineBar bar;
    bar.y0 = y(sm);
    bar.y1 = y(sm + 1.0);
    bar.share = 0;
    double areaBefore = blocks.area(range_.fromNs), wavesBefore = waves.area(range_.fromNs);
    for (int i = 1; bar.x0 < width_; ++i) {
      const double to = std::min(range_.fromNs + step * i, range_.toNs);
      const double area = blocks.area(to), wave = waves.area(to);
      const double taken = std::max(area - areaBefore, 0.0);
      TimelineBar next = bar;
      next.x0 = static_cast<float>(i - 1) * column;
      next.x1 = std::min(static_cast<float>(i) * column, width_);
      next.wave = taken > 0 ? static_cast<float>(std::round((wave - wavesBefore) / taken)) : 0;
      const double full = step * view_.lanes.lanesPerSm;
      // Rounds up, so that small fractions remain visible.
      next.share =
          static_cast<float>(std::min(std::ceil(taken / full * kLevels - 0.01), kLevels) / kLevels);
      areaBefore = area;
      wavesBefore = wave;
      if (next.share == bar.share && next.wave == bar.wave && bar.x1 > bar.x0) {
        bar.x1 = next.x1;
      } else {
        keep(bar);
        bar = next;
      }
      if (to >= range_.toNs) break;
    }
    keep(bar);
  }

  void keep(const TimelineBar& bar) {
    if (bar.share > 0 && bar.x1 > bar.x0) out_.bars.push_back(bar);
  }

  const TimelineView& view_;
  const TimelineRange& range_;
  float width_, height_, em_;
  TimelineBars out_;
};

}  // namespace

TimelineRange wholeRange(const TimelineView& view) {
  return {0, std::max(static_cast<double>(view.spanNs), 1.0), 0,
          static_cast<double>(view.timeline.multiprocessors)};
}

TimelineRange zoomed(const TimelineView& view, const TimelineRange& range, double shareX,
                     double shareY, double factor, ZoomAxes axes) {
  const TimelineRange whole = wholeRange(view);
  TimelineRange next = range;
  if (axes != ZoomAxes::multiprocessors) {
    const double least = std::min(2.0 * std::max(view.timeline.tickNs, 1U), whole.toNs);
    place(next.fromNs, next.toNs, range.fromNs + shareX * range.ns(), shareX,
          std::max(range.ns() / factor, least), whole.toNs);
  }
  if (axes != ZoomAxes::time) {
    const double least = 1.0 / std::max(view.lanes.lanesPerSm, 1U);
    place(next.fromSm, next.toSm, range.fromSm + shareY * range.sms(), shareY,
          std::max(range.sms() / factor, least), whole.toSm);
  }
  return next;
}

TimelineRange panned(const TimelineView& view, const TimelineRange& range, double shareX,
                     double shareY) {
  const TimelineRange whole = wholeRange(view);
  TimelineRange next = range;
  place(next.fromNs, next.toNs, range.fromNs + shareX * range.ns(), 0, range.ns(), whole.toNs);
  place(next.fromSm, next.toSm, range.fromSm + shareY * range.sms(), 0, range.sms(), whole.toSm);
  return next;
}

TimelineRange rangeOfBlock(const TimelineView& view, uint32_t block) {
  constexpr double kComparison = 0.06;
  const TimelineRange whole = wholeRange(view);
  const double length = endOf(view, block) - startOf(view, block);
  TimelineRange range;
  place(range.fromNs, range.toNs, startOf(view, block) - kComparison * length, 0,
        (1 + 2 * kComparison) * length, whole.toNs);
  const double perSm = std::max(view.lanes.lanesPerSm, 1U);
  const double lane = view.timeline.sm[block] + view.lanes.lane[block] / perSm;
  place(range.fromSm, range.toSm, lane + 0.5 / perSm, 0.5, std::min(3 / perSm, whole.toSm),
        whole.toSm);
  return range;
}

TimelineBars layOutTimeline(const TimelineView& view, const TimelineRange& range, float width,
                            float height, float em) {
  if (width < 1 || height < 1 || view.lanes.lanesPerSm == 0) return {};
  return Layout(view, range, width, height, em).make();
}

std::optional<uint32_t> blockUnder(const TimelineView& view, double ns, double sm) {
  if (sm < 0 || sm >= view.timeline.multiprocessors || view.lanes.lanesPerSm == 0)
    return std::nullopt;
  const auto own = static_cast<uint32_t>(sm);
  const uint32_t lanes = view.lanes.lanesPerSm;
  const auto lane = std::min(static_cast<uint32_t>((sm - own) * lanes), lanes - 1);
  for (uint32_t i = 0; i < lanes; ++i) {
    const auto blocks = view.lanes.blocksOf(own, (lane + i) % lanes);
    const auto at =
        std::ranges::upper_bound(blocks, ns, {}, [&](uint32_t b) { return endOf(view, b); });
    if (at != blocks.end() && startOf(view, *at) <= ns) return *at;
  }
  return std::nullopt;
}

}  // namespace tilestep::features
