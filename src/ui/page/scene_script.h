// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ui/kit/step_script.h"

namespace tilestep::ui {

/// Visits the scene's steps in order at the current granularity, but no more than a maximum number
/// of steps.
class SceneScript : public StepScript {
 public:
  static constexpr size_t kMost = 100;  ///< Steps.

  explicit SceneScript(size_t most = kMost) : most_(most) {}

  bool advance(model::Session& session, bool still, double now) override;
  void taken(model::Session& session, const Status& done) override;
  [[nodiscard]] bool ended() const override { return ended_; }
  [[nodiscard]] Progress progress() const override { return {next_, all_}; }
  [[nodiscard]] const std::string& trouble() const override { return trouble_; }

 private:
  size_t most_, next_ = 0, all_ = 0;
  bool ended_ = false;
  std::string trouble_;
};

}  // namespace tilestep::ui
