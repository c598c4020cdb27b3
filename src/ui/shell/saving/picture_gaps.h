// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace tilestep::ui {

/// The most that a picture of a view can have either way, in coordinates.
inline constexpr float kMostOfPicture = 4800;

/// What a picture of a view did not get.
struct PictureGaps {
  bool below = false, right = false;  ///< Content that lies beyond the picture's edge.
  bool details = false;               ///< Fine values of a large matrix, which is drawn coarsely.
  bool values = false;                ///< All values of a large matrix.
};

/// In sentences; empty: nothing is missing. An error where so much is missing that the picture is
/// of no use.
[[nodiscard]] Result<std::string> lacksOf(const PictureGaps& gaps);

/// What pictures of steps lack.
class StepGaps {
 public:
  /// `step` counts from 1; `lacks`: of its picture.
  void add(size_t step, const std::string& lacks);
  /// In sentences; empty: nothing.
  [[nodiscard]] std::string text() const;

 private:
  size_t steps_ = 0, first_ = 0;
  std::string lacks_;  ///< Of the first one.
};

}  // namespace tilestep::ui
