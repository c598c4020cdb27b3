// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "model/session.h"

namespace tilestep::ui {

/// Goes through the open lesson without a person: waits until a step's scene stands still, reveals
/// its answer, has a picture taken, and goes on.
class LessonScript {
 public:
  /// A step that is not there after `patienceSeconds` is given up.
  explicit LessonScript(std::filesystem::path folder, double patienceSeconds = 120)
      : folder_(std::move(folder)), patience_(patienceSeconds) {}

  /// After each frame; `still`: nothing moves in the picture. Where it returns a path, a picture of
  /// the next frame belongs there, and then `pictureTaken` is told whether it could be saved.
  std::filesystem::path advance(model::Session& session, bool still, double now);
  void pictureTaken(model::Session& session, const Status& saved);

  [[nodiscard]] bool ended() const { return ended_; }
  /// Why a step could not be shown; empty: all were.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  static constexpr int kStillFrames = 4;  ///< ImGui settles its layout in a few.

  std::filesystem::path folder_;
  double patience_;
  size_t next_ = 0;
  int still_ = 0;
  double since_ = -1;
  bool ended_ = false;
  std::string trouble_;
};

}  // namespace tilestep::ui
