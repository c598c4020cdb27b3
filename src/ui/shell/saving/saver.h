// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "gfx/window.h"
#include "ui/page/step_walk.h"
#include "ui/shell/saving/picture_file.h"

namespace tilestep::ui {

/// Saves what the user asks for and says in a notice what came of it: pictures of views and of the
/// window, reports, and the steps, which are gone through one after another. For the main thread,
/// and not within a frame.
class Saver {
 public:
  /// All must outlive the saver.
  Saver(gfx::Window& window, model::Session& session, UiState& state, PictureTools tools)
      : window_(window), session_(session), state_(state), tools_(std::move(tools)) {}

  /// Call when the frame after the wish has been drawn: pictures of the window show that frame.
  void save(const SaveWish& wish);

  /// Whether the steps are being gone through; then keys and clicks are for stop() alone.
  [[nodiscard]] bool walking() const { return walk_.has_value(); }
  void stop();
  /// Goes on with the steps. Call after each frame; `still`: nothing in it is moving; `now`:
  /// seconds.
  void advance(bool still, double now);

 private:
  void beginWalk(const SaveWish& wish);
  [[nodiscard]] Status writeView(const SaveWish& wish);
  [[nodiscard]] Status writeReport(const std::filesystem::path& path);
  [[nodiscard]] Result<std::unique_ptr<StepRecorder>> recorderFor(const SaveWish& wish) const;
  void say(const Status& done, const std::string& what, const std::filesystem::path& path);

  gfx::Window& window_;
  model::Session& session_;
  UiState& state_;
  PictureTools tools_;
  std::optional<StepWalk> walk_;
};

}  // namespace tilestep::ui
