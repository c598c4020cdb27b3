// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace tilestep::ui {

/// The maximum width and height of a picture of a view, in coordinates.
inline constexpr float kMostOfPicture = 4800;

/// Parts of a view that its picture omits.
struct PictureGaps {
  bool below = false, right = false;  ///< There is content beyond the picture's edge.
  bool details = false;               ///< Fine values of a large matrix, which is drawn coarsely.
  bool values = false;                ///< All values of a large matrix.
};

/// The gaps in sentences; empty if nothing is missing. Returns an error if so much is missing that
/// the picture is useless.
[[nodiscard]] Result<std::string> lacksOf(const PictureGaps& gaps);

class StepGaps {
 public:
  /// `step` counts from 1; `lacks` describes the gaps in its picture.
  void add(size_t step, const std::string& lacks);
  /// The gaps in sentences; empty if there are none.
  [[nodiscard]] std::string text() const;

 private:
  size_t steps_ = 0, first_ = 0;
  std::string lacks_;  ///< From the first incomplete picture.
};

}  // namespace tilestep::ui
