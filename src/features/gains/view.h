// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "features/names.h"
#include "model/launch_ratios.h"
#include "model/view.h"

namespace tilestep::features {

/// One of several ratios that are always shown together. The hover text of its amounts explains it.
struct Gain : Ratio {
  std::string what;     ///< Its name in a table: "L2 reads, caches cold".
  std::string origin;   ///< "counted"
  std::string missing;  ///< The reason why there is no ratio, in a few words.
};

/// The naive kernel compared with the chosen one. `gains` is empty if they cannot be compared.
struct GainsView : View {
  static constexpr std::string_view kFeature = "gains";
  LaunchRatios ratios;
  std::vector<Gain> gains;
  std::string note;  ///< Remarks on these ratios; may be empty.
};

}  // namespace tilestep::features
