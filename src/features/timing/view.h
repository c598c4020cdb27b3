// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "features/names.h"
#include "features/timing/ways.h"
#include "model/view.h"

namespace tilestep::features {

/// The launches of the lab about timing, each timed with several methods.
struct TimingView : View {
  static constexpr std::string_view kFeature = "timing";
  std::vector<TimingRow> rows;  ///< Empty unless the view is visible.
  std::string sentence;         ///< A conclusion from the rows, or the reason why there is none.
  bool coming = false;          ///< Some launches are still being timed.
};

}  // namespace tilestep::features
