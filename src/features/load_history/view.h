// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "features/load_history/load_history.h"
#include "model/view.h"

namespace tilestep::model {

struct LoadHistoryView : View {
  static constexpr std::string_view kFeature = "load_history";
  std::shared_ptr<const LoadHistory> story;  ///< Null where there are no phases with loads.
  /// The number of the story's phases up to and including the present one.
  size_t phasesOver = 0;
};

}  // namespace tilestep::model
