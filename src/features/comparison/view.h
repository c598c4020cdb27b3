// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/kernel.h"
#include "features/names.h"
#include "model/view.h"

namespace tilestep::features {

/// The companion kernel and its alternatives.
struct ComparisonView : View {
  static constexpr std::string_view kFeature = "comparison";
  /// Kernels that can be the companion, as named in the catalogue.
  std::vector<std::string> kernels;
  bool hasUsual = false;  ///< The main kernel has a default companion: naive, for other products.
  /// The companion's index in the catalogue; absent if there is no companion.
  std::optional<size_t> entry;
  /// All of the companion's tunables in the scene.
  compile::Bindings tunables;
  bool follows = true;  ///< The user has not chosen any of these tunables.
  /// The companion's blocks compute other elements than the main kernel's, so it has its own traced
  /// block.
  bool ownBlock = false;
  std::string data;      ///< A sentence if it computes on the data of a program's launch.
  std::string trouble;   ///< The reason why the chosen companion is not shown; otherwise empty.
  std::string together;  ///< How the two are stepped together, and their positions.
  /// While a barrier is removed, the kernel that is compared instead; otherwise empty.
  std::string instead;

  void addTo(Shown& to) const override { to.companion = entry.has_value(); }
};

}  // namespace tilestep::features
