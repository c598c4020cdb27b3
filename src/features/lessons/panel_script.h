// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "model/session.h"

namespace tilestep::ui {

/// Plays the open lesson without a user: waits until a step's scene stops moving, reveals the
/// answer, requests a picture, and continues.
class LessonScript {
 public:
  /// A step that is not complete after `patienceSeconds` is reported in trouble(), and the script
  /// goes on.
  explicit LessonScript(std::filesystem::path folder, double patienceSeconds = 120)
      : folder_(std::move(folder)), patience_(patienceSeconds) {}

  /// Call after each frame; `still`: nothing in the picture is moving. If it returns a path, save a
  /// picture of the next frame there, then call pictureTaken with the result.
  std::filesystem::path advance(model::Session& session, bool still, double now);
  void pictureTaken(model::Session& session, const Status& saved);

  [[nodiscard]] bool ended() const { return ended_; }
  /// Why a step could not be shown; empty: all were.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  static constexpr int kStillFrames = 4;  ///< ImGui needs a few frames to settle its layout.

  std::filesystem::path folder_;
  double patience_;
  size_t next_ = 0;
  int still_ = 0;
  double since_ = -1;
  bool ended_ = false;
  std::string trouble_;
};

}  // namespace tilestep::ui
