// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/choice/choice.h"

namespace tilestep::model {

/// A stack of earlier choices. Changes of one field within one gesture (a slider drag) count as one
/// change.
class Undo {
 public:
  static constexpr size_t kDepth = 200;

  /// Keeps `before`, the choice before a change of `field`, unless the current gesture has already
  /// done so.
  void changing(const Choice& before, const std::string& field);
  void endGesture() { field_.clear(); }
  /// Whether changes of one field are being combined, as while a slider is dragged.
  [[nodiscard]] bool inGesture() const { return !field_.empty(); }

  /// The choice that replaces `now`; absent if there is none.
  std::optional<Choice> undo(const Choice& now);
  std::optional<Choice> redo(const Choice& now);
  [[nodiscard]] bool canUndo() const { return !back_.empty(); }
  [[nodiscard]] bool canRedo() const { return !forward_.empty(); }

 private:
  std::vector<Choice> back_, forward_;
  std::string field_;  ///< The field of the gesture in progress; empty between gestures.
};

}  // namespace tilestep::model
