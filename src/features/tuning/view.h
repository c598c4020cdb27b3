// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "features/names.h"
#include "model/choice/legality.h"
#include "model/view.h"

namespace tilestep::features {

/// The best known tunables for the chosen kernel, device and measured sizes.
struct BestTunables {
  bool known = false;
  bool taken = false;  ///< They are the chosen ones.
  compile::Bindings tunables;
  std::string text;  ///< The origin of the tunables, or a remark that none are known.
};

/// The search for the best tunables.
struct TuningSearch {
  bool possible = false;  ///< A GPU is in use, and the kernel has tunables.
  bool running = false;
  float share = 0;   ///< Finished share of the present stage.
  std::string text;  ///< The present step, or a description of the search.
};

struct TuningView : View {
  static constexpr std::string_view kFeature = "tuning";
  /// The legality of each tunable's values; null if the kernel cannot be read.
  std::shared_ptr<const std::vector<TunableLegality>> legality;
  /// A block's share of the device's limits; empty if the launch is illegal.
  std::string resources;
  BestTunables best;
  TuningSearch search;

  /// Null if the tunable has no values in `legality`.
  [[nodiscard]] const TunableLegality* legalityOf(const std::string& tunable) const {
    if (!legality) return nullptr;
    const auto at = std::ranges::find(*legality, tunable, &TunableLegality::tunable);
    return at == legality->end() || at->values.empty() ? nullptr : &*at;
  }
};

}  // namespace tilestep::features
