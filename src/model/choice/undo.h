// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/choice/choice.h"

namespace tilestep::model {

/// Choices to go back to. Changes of one field within one gesture (a slider drag) count as one.
class Undo {
 public:
  static constexpr size_t kDepth = 200;

  /// Keeps `before`, the choice as it was, unless the gesture on `field` already did.
  void changing(const Choice& before, const std::string& field);
  void endGesture() { field_.clear(); }

  /// The choice to take instead of `now`; nothing when there is none.
  std::optional<Choice> undo(const Choice& now);
  std::optional<Choice> redo(const Choice& now);
  [[nodiscard]] bool canUndo() const { return !back_.empty(); }
  [[nodiscard]] bool canRedo() const { return !forward_.empty(); }

 private:
  std::vector<Choice> back_, forward_;
  std::string field_;  ///< Of the gesture under way; empty between gestures.
};

}  // namespace tilestep::model
