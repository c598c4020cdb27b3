// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "features/lab_times/times.h"
#include "model/view.h"

namespace tilestep::model {

/// Times of the open lab's kernels; no rows where no lab is open, where it still waits for its
/// prediction, or where it shows no times.
struct LabTimesView : View {
  static constexpr std::string_view kFeature = "lab_times";
  std::vector<LabTime> rows;
  std::string quoted;  ///< Where the quoted times are from; may be empty.
};

}  // namespace tilestep::model
