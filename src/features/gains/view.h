// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "features/names.h"
#include "model/launch_ratios.h"
#include "model/view.h"

namespace tilestep::features {

/// The names of the gains in large type. In tables they have longer ones.
inline constexpr std::array<const char*, 4> kGainNames{"bytes asked", "L1 sectors", "L2 reads",
                                                       "time"};

/// The naive kernel compared with the chosen one. `gains` is empty if they cannot be compared.
struct GainsView : View {
  static constexpr std::string_view kFeature = "gains";
  LaunchRatios ratios;
  std::vector<Ratio> gains;          ///< In the order of kGainNames; or none.
  std::vector<std::string> missing;  ///< For each gain, why there is no ratio, in a few words.
  std::string note;                  ///< Remarks on these ratios; may be empty.
};

}  // namespace tilestep::features
