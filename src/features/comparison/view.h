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
  bool hasUsual = false;  ///< A kernel is compared by default: naive, for every other product.
  /// The companion's index in the catalogue; absent: there is no companion.
  std::optional<size_t> entry;
  /// The companion's tunables in the scene, every name filled in.
  compile::Bindings tunables;
  bool follows = true;  ///< None of its tunables was chosen.
  /// Its blocks compute other elements, so it has a traced block of its own.
  bool ownBlock = false;
  /// The program whose data it uses, if that is a program's launch; otherwise empty.
  std::string data;
  std::string trouble;   ///< The reason why the chosen companion is not shown; otherwise empty.
  std::string together;  ///< How the two are stepped together, and their positions.
  std::string
      instead;  ///< The comparison shown instead while a barrier is removed; otherwise empty.

  void addTo(Shown& to) const override { to.companion = entry.has_value(); }
};

}  // namespace tilestep::features
