// SPDX-License-Identifier: Apache-2.0
// The positions of drawn blocks: computed by hand for a few blocks, and bounded for many.
#include "features/timeline/panel_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "unit/features/timeline/sample_timeline.h"

namespace tilestep::features::panel_layout_test {

constexpr float kWidth = 1000, kHeight = 400, kEm = 16;

TimelineBars whole(const TimelineView& view, float height = kHeight) {
  return layOutTimeline(view, wholeRange(view), kWidth, height, kEm);
}

TEST(TimelineLayout, FewBlocksAreDrawnIndividually) {
  const auto view =
      sampleTimeline(2, 2, 8, 1);  // Two SMs with two block slots each; two waves of 100 ns.
  const TimelineBars bars = whole(*view);
  EXPECT_EQ(bars.detail, TimelineDetail::blocks);
  EXPECT_FLOAT_EQ(bars.laneHeight, kHeight / 4);
  ASSERT_EQ(bars.bars.size(), 8U);
  for (const TimelineBar& bar : bars.bars) {
    const auto wave = static_cast<float>(bar.block / 4);
    EXPECT_FLOAT_EQ(bar.x0, wave * 500);
    EXPECT_FLOAT_EQ(bar.x1, wave * 500 + 500);
    EXPECT_FLOAT_EQ(bar.wave, wave);
    EXPECT_FLOAT_EQ(bar.y1 - bar.y0, 100);
    EXPECT_FLOAT_EQ(bar.y0, 200 * static_cast<float>(view->timeline.sm[bar.block]) +
                                100 * static_cast<float>(view->lanes.lane[bar.block]));
  }
  EXPECT_TRUE(bars.epochs.empty());  // A single epoch is the block itself.
}

TEST(TimelineLayout, EpochsFillTheirBlocksIfTheyFit) {
  const auto view = sampleTimeline(1, 1, 2, 5);
  const TimelineBars bars = whole(*view);
  ASSERT_EQ(bars.epochs.size(), 10U);
  // Each epoch works for three quarters of its duration.
  EXPECT_FLOAT_EQ(bars.epochs[0].x0, 0);
  EXPECT_FLOAT_EQ(bars.epochs[0].xWait, 75);
  EXPECT_FLOAT_EQ(bars.epochs[0].x1, 100);
  EXPECT_FLOAT_EQ(bars.epochs[9].x1, 1000);
  EXPECT_EQ(bars.epochs[9].block, 1U);
  EXPECT_EQ(bars.epochs[9].epoch, 4U);
  const TimelineBars narrow = layOutTimeline(*view, wholeRange(*view), 15, kHeight, kEm);
  EXPECT_TRUE(narrow.epochs.empty());
}

TEST(TimelineLayout, LowLanesAreAveragedPerMultiprocessor) {
  const auto view = sampleTimeline(132, 8, 4096, 3);
  const TimelineBars bars = whole(*view);
  EXPECT_EQ(bars.detail, TimelineDetail::multiprocessors);
  EXPECT_LE(bars.bars.size(), TimelineBars::kMost);
  for (const TimelineBar& bar : bars.bars) {
    EXPECT_EQ(bar.block, TimelineBar::kMany);
    EXPECT_GT(bar.share, 0);
    EXPECT_LE(bar.share, 1);
  }
  // 4,096 blocks are three full waves of 1,056 blocks and a partial wave. The full waves fill every
  // SM.
  const double full = std::accumulate(bars.bars.begin(), bars.bars.end(), 0.0,
                                      [](double sum, const TimelineBar& bar) {
                                        return sum + (bar.share == 1 ? bar.x1 - bar.x0 : 0);
                                      });
  EXPECT_NEAR(full / 132, 750, 20);
}

TEST(TimelineLayout, AveragesAddUpToTheBlocksTimes) {
  const auto view =
      sampleTimeline(16, 8, 3000, 1, 40);  // Staggered starts, so that waves end gradually.
  const TimelineBars bars = whole(*view, 100);
  ASSERT_EQ(bars.detail, TimelineDetail::multiprocessors);
  double drawn = 0, taken = 0;
  for (const TimelineBar& bar : bars.bars)
    drawn += (bar.x1 - bar.x0) * bar.share * static_cast<float>(view->lanes.lanesPerSm);
  for (size_t b = 0; b < view->timeline.blocks(); ++b)
    taken += static_cast<double>(view->timeline.endNs[b] - view->timeline.startNs[b]);
  taken *= kWidth / static_cast<double>(view->spanNs);
  EXPECT_NEAR(drawn / taken, 1, 0.1);  // Fractions are rounded up to sixteenths.
}

TEST(TimelineLayout, CostDependsOnWhatIsVisible) {
  const auto view = sampleTimeline(132, 16, 300'000, 1, 7);
  EXPECT_LE(whole(*view).bars.size(), TimelineBars::kMost);
  TimelineRange range = wholeRange(*view);
  for (int i = 0; i < 60; ++i) {
    range = zoomed(*view, range, 0.37, 0.61, 1.3, ZoomAxes::both);
    const TimelineBars bars = layOutTimeline(*view, range, kWidth, kHeight, kEm);
    EXPECT_LE(bars.bars.size(), TimelineBars::kMost);
    EXPECT_FALSE(bars.bars.empty());
    for (const TimelineBar& bar : bars.bars) {
      ASSERT_GE(bar.x0, 0);
      ASSERT_LE(bar.x1, kWidth + 1);
      ASSERT_GE(bar.y0, 0);
      ASSERT_LE(bar.y1, kHeight);
    }
  }
  EXPECT_EQ(layOutTimeline(*view, range, kWidth, kHeight, kEm).detail, TimelineDetail::blocks);
}

TEST(TimelineLayout, ZoomingKeepsThePositionUnderThePointer) {
  const auto view = sampleTimeline(16, 4, 640, 1);
  const TimelineRange all = wholeRange(*view);
  const TimelineRange in = zoomed(*view, all, 0.25, 0.5, 4, ZoomAxes::both);
  EXPECT_DOUBLE_EQ(in.ns(), all.ns() / 4);
  EXPECT_DOUBLE_EQ(in.fromNs + 0.25 * in.ns(), 0.25 * all.ns());
  EXPECT_DOUBLE_EQ(in.sms(), 4);
  const TimelineRange time = zoomed(*view, all, 0.25, 0.5, 4, ZoomAxes::time);
  EXPECT_DOUBLE_EQ(time.sms(), 16);
  const TimelineRange lanes = zoomed(*view, all, 0.25, 0.5, 4, ZoomAxes::multiprocessors);
  EXPECT_DOUBLE_EQ(lanes.ns(), all.ns());
  EXPECT_EQ(zoomed(*view, in, 0.9, 0.9, 1e-9, ZoomAxes::both),
            all);  // Never extends beyond the launch.
  const TimelineRange closest = zoomed(*view, all, 0.5, 0.5, 1e12, ZoomAxes::both);
  EXPECT_DOUBLE_EQ(closest.sms(), 0.25);
  EXPECT_GT(closest.ns(), 0);
}

TEST(TimelineLayout, PanningStaysWithinTheLaunch) {
  const auto view = sampleTimeline(16, 4, 640, 1);
  TimelineRange range = zoomed(*view, wholeRange(*view), 0, 0, 4, ZoomAxes::both);
  range = panned(*view, range, 1, 0.5);
  EXPECT_DOUBLE_EQ(range.fromNs, wholeRange(*view).ns() / 4);
  EXPECT_DOUBLE_EQ(range.fromSm, 2);
  range = panned(*view, range, 99, 99);
  EXPECT_DOUBLE_EQ(range.toNs, wholeRange(*view).toNs);
  EXPECT_DOUBLE_EQ(range.toSm, 16);
  EXPECT_DOUBLE_EQ(range.sms(), 4);
}

TEST(TimelineLayout, RangeOfABlockFillsThePicture) {
  const auto view = sampleTimeline(16, 4, 640, 1);
  const uint32_t block = 333;
  const TimelineRange range = rangeOfBlock(*view, block);
  EXPECT_LT(range.fromNs, static_cast<double>(view->timeline.startNs[block]));
  EXPECT_GT(range.toNs, static_cast<double>(view->timeline.endNs[block]));
  const TimelineBars bars = layOutTimeline(*view, range, kWidth, kHeight, kEm);
  EXPECT_EQ(bars.detail, TimelineDetail::blocks);
  const auto at = std::ranges::find(bars.bars, block, &TimelineBar::block);
  ASSERT_NE(at, bars.bars.end());
  EXPECT_GT(at->x1 - at->x0, 0.8F * kWidth);
  EXPECT_GT(at->y1 - at->y0, kHeight / 4);
}

TEST(TimelineLayout, PointerFindsTheBlock) {
  const auto view = sampleTimeline(2, 2, 7, 1);  // The second wave has only three of four blocks.
  const trace::Timeline& t = view->timeline;
  for (uint32_t b = 0; b < t.blocks(); ++b) {
    const double sm = t.sm[b] + (view->lanes.lane[b] + 0.5) / 2;
    EXPECT_EQ(blockUnder(*view, static_cast<double>(t.startNs[b]) + 50, sm), b);
  }
  EXPECT_EQ(blockUnder(*view, 50, 2), std::nullopt);
  EXPECT_EQ(blockUnder(*view, 5000, 0.5), std::nullopt);
  // This lane is idle then, so the block beside it is found.
  EXPECT_EQ(blockUnder(*view, 150, 1.9), blockUnder(*view, 150, 1.1));
}

}  // namespace tilestep::features::panel_layout_test
