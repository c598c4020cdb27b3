// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "features/names.h"
#include "model/launch_ratios.h"
#include "model/view.h"

namespace tilestep::features {

/// The naive kernel compared with the chosen one. `gains` is empty if they cannot be compared.
struct GainsView : View {
  static constexpr std::string_view kFeature = "gains";
  LaunchRatios ratios;
  std::vector<Ratio> gains;
  std::vector<std::string> missing;  ///< For each gain, why there is no ratio, in a few words.
  std::string note;                  ///< Remarks on these ratios; may be empty.
};

}  // namespace tilestep::features
