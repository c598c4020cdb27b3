// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "ui/page/step_walk.h"
#include "ui/shell/saving/picture_file.h"

namespace tilestep::ui {

/// Saves pictures of views and of the window, reports, and steps (by going through them one after
/// another), and reports the outcome in a notice. Main thread only, outside a frame.
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

  /// Call after drawing the frame that follows the request: pictures of the window show that frame.
  void save(const SaveWish& wish);

  /// Whether the saver is going through the steps; keys and clicks then only trigger stop().
  [[nodiscard]] bool walking() const { return walk_.has_value(); }
  void stop();
  /// Stops at once and restores session and state as before the steps. Call before the window
  /// closes.
  void giveUp();
  /// Continues with the steps. Call after each frame. `still` is true if nothing in the frame is
  /// moving; `now` is in seconds.
  void advance(bool still, double now);

 private:
  void beginWalk(const SaveWish& wish);
  void endWalk();
  /// Makes a file that needs no walk through the steps.
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
