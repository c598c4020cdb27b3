// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "ui/page/step_walk.h"
#include "ui/shell/saving/picture_file.h"

namespace tilestep::ui {

/// Saves what the user asks for and says in a notice what came of it: pictures of views and of the
/// window, reports, and the steps, which are gone through one after another. For the main thread,
/// and not within a frame.
class Saver {
 public:
  /// The window's last frame as the bytes of a PNG file.
  using WindowPng = std::function<Result<std::string>()>;
  /// `session` and `state` must outlive the saver.
  Saver(WindowPng windowPng, model::Session& session, UiState& state, PictureTools tools)
      : windowPng_(std::move(windowPng)),
        session_(session),
        state_(state),
        tools_(std::move(tools)) {}

  /// Call when the frame after the wish has been drawn: pictures of the window show that frame.
  void save(const SaveWish& wish);

  /// Whether the steps are being gone through; then keys and clicks are for stop() alone.
  [[nodiscard]] bool walking() const { return walk_.has_value(); }
  void stop();
  /// Stops at once, and session and state are where they were before the steps. Call it before the
  /// window closes.
  void giveUp();
  /// Goes on with the steps. Call after each frame; `still`: nothing in it is moving; `now`:
  /// seconds.
  void advance(bool still, double now);

 private:
  void beginWalk(const SaveWish& wish);
  void endWalk();
  /// A file that is made at once.
  [[nodiscard]] Result<PictureFile> fileOf(const SaveWish& wish);
  [[nodiscard]] Result<PictureFile> viewFile(const SaveWish& wish);
  [[nodiscard]] Result<std::string> reportFile();
  [[nodiscard]] Result<std::unique_ptr<StepRecorder>> recorderFor(const SaveWish& wish) const;
  void say(model::Notice::Kind kind, std::string text);

  WindowPng windowPng_;
  model::Session& session_;
  UiState& state_;
  PictureTools tools_;
  std::optional<StepWalk> walk_;
};

}  // namespace tilestep::ui
