// SPDX-License-Identifier: Apache-2.0
// Live mode on its stage, in frames without a window: keys, and drawing in every state.
#include <gtest/gtest.h>

#include <algorithm>

#include "features/live/live.h"
#include "ui/shell/keys.h"
#include "ui/shell/state_file.h"
#include "unit/ui/null_window.h"

namespace tilestep::features::live_panel_test {

class LivePanel : public NullWindow {
 protected:
  /// Shows the stage while a GPU streams `samples` launches of 2 ms or more.
  void stream(size_t samples) {
    log->gpu = true;
    connect();
    ui.stage = Stage::live;
    settle();
    sample(samples, 2);
  }
  void settle() {
    draw();
    answer(8);
    draw();
  }
  void sample(size_t count, float ms) {
    ASSERT_FALSE(log->streams.empty());
    device::LiveBatch batch;
    for (size_t i = 0; i < count; ++i) {
      batch.atMs.push_back(ms * static_cast<float>(i));
      batch.ms.push_back(ms + 0.001F * static_cast<float>(i * 7919 % 100));
    }
    batch.launches = count;
    batch.clockMhz = 1980;
    log->samples[log->streams.back().id].push_back(std::move(batch));
    draw();
  }
  void press(gfx::Key key, bool control = false, bool shift = false, bool alt = false) {
    handleKeys({{.key = key, .shift = shift, .control = control, .alt = alt}}, *session, ui, false,
               false);
    draw();
  }
  void type(char32_t text) {
    handleKeys({{.text = text}}, *session, ui, false, false);
    draw();
  }
  [[nodiscard]] const LiveView& live() {
    kept = session->snapshot();
    return kept->view<LiveView>();
  }
  std::shared_ptr<const model::Snapshot> kept;
};

TEST_F(LivePanel, RunsWhileItsStageIsShown) {
  log->gpu = true;
  connect();
  draw();
  EXPECT_TRUE(log->streams.empty());
  ui.stage = Stage::live;
  settle();
  EXPECT_EQ(log->streams.size(), 1U);
  ui.stage = Stage::scene;
  draw();
  EXPECT_TRUE(log->isCancelled(log->streams[0].id));
}

TEST_F(LivePanel, RecordedFigureShowsItsMachine) {
  useFonts(1600, 1000, 1);
  log->recording = true;
  log->machine = 2;
  model::SessionOptions options;
  options.home = support::sourceRoot();
  options.device = "recorded:test-gpu";
  session = std::make_unique<model::Session>(options, features::makeFeatures());
  connect();
  ui.stage = Stage::live;
  settle();
  const auto texts = drawnTexts();
  EXPECT_TRUE(std::ranges::any_of(texts, [](const gfx::TextShape& piece) {
    return piece.text.starts_with("Test GPU no. 2, recorded 2026-11-22: median of");
  }));
}

TEST_F(LivePanel, KeysPauseResumeAndClear) {
  stream(100);
  type(U'p');
  EXPECT_EQ(live().state, LiveView::State::paused);
  EXPECT_FALSE(session->snapshot()->position.playing) << "on this stage, P controls live mode";
  type(U'P');
  settle();
  EXPECT_EQ(log->streams.size(), 2U);
  press(gfx::Key::remove);
  EXPECT_EQ(live().points, 0U);
}

TEST_F(LivePanel, KeysZoomPanAndSetTheCursor) {
  stream(5000);
  press(static_cast<gfx::Key>('='), true);
  ASSERT_TRUE(ui.live.time.moved);
  const double width = ui.live.time.high - ui.live.time.low;
  EXPECT_NEAR(width, 30 / 1.25, 1);
  EXPECT_FALSE(ui.live.y[0].moved) << "only the time axis moved";
  const double low = ui.live.time.low;
  press(gfx::Key::right, false, false, true);
  EXPECT_NEAR(ui.live.time.low, low + 0.1 * width, 0.1);
  press(gfx::Key::right, false, true);
  ASSERT_TRUE(ui.live.cursor.pinned);
  EXPECT_EQ(session->snapshot()->choice.thread, std::nullopt)
      << "this key does not choose a thread here";
  type(U',');
  EXPECT_TRUE(ui.live.y[0].otherScale);
  type(U'f');
  EXPECT_FALSE(ui.live.time.moved);
  EXPECT_FALSE(ui.live.cursor.pinned);
}

}  // namespace tilestep::features::live_panel_test
