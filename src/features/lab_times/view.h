// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "features/lab_times/times.h"
#include "features/names.h"
#include "model/view.h"

namespace tilestep::features {

struct LabTimesView : View {
  static constexpr std::string_view kFeature = "lab_times";
  /// The open lab's times. Empty without an open lab, before its prediction, and without times.
  std::vector<LabTime> rows;
  std::string quoted;           ///< The source of the quoted times; may be empty.
  std::vector<LabTime> ladder;  ///< The times of the lab SumsView::lab.

  /// The times of a kernel of the ladder; null if the kernel has no row.
  [[nodiscard]] const LabTime* ladderTime(std::string_view kernel) const {
    const auto at = std::ranges::find(ladder, kernel, &LabTime::name);
    return at == ladder.end() ? nullptr : &*at;
  }
  /// Whether a time is still being measured.
  [[nodiscard]] bool isComing() const {
    return std::ranges::any_of(ladder, &LabTime::isComing) ||
           std::ranges::any_of(rows, &LabTime::isComing);
  }
};

}  // namespace tilestep::features
