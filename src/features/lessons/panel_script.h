// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "features/names.h"
#include "ui/kit/step_script.h"

namespace tilestep::features {

/// Plays the open lesson from its first step. At each step, it waits until the scene stops moving,
/// reveals the answer, and continues once the step's picture was taken.
class LessonScript : public StepScript {
 public:
  /// Steps that take longer than `patienceSeconds` are reported in trouble().
  explicit LessonScript(double patienceSeconds = 120) : patience_(patienceSeconds) {}

  bool advance(model::Session& session, bool still, double now) override;
  void taken(model::Session& session, const Status& done) override;
  [[nodiscard]] bool ended() const override { return ended_; }
  [[nodiscard]] Progress progress() const override { return {next_, all_}; }
  [[nodiscard]] const std::string& trouble() const override { return trouble_; }

 private:
  static constexpr int kStillFrames = 4;  ///< ImGui needs a few frames to settle its layout.

  double patience_;
  size_t next_ = 0, all_ = 0;
  int still_ = 0;
  double since_ = -1;
  bool ended_ = false;
  bool began_ = false;  ///< The devices are known, and the recordings are read.
  std::string trouble_;
};

}  // namespace tilestep::features
