// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/kernel.h"
#include "model/view.h"

namespace tilestep::model {

/// The companion kernel and its alternatives.
struct ComparisonView : View {
  static constexpr std::string_view kFeature = "comparison";
  std::vector<std::string> kernels;  ///< Kernels that can be the companion, as named in the
                                     ///< catalogue.
  std::optional<size_t> entry;       ///< The companion's index in the catalogue; nothing: there is
                                     ///< no companion.
  compile::Bindings tunables;        ///< The companion's tunables in the scene, every name filled
                                     ///< in.
  bool follows = true;               ///< None of its tunables was chosen.
  bool ownBlock = false;             ///< Its blocks compute other elements, so it has a traced
                                     ///< block of its own.
  std::string trouble;               ///< Why the chosen companion is not shown; otherwise empty.
  std::string together;              ///< How the two are stepped together, and where they are.
  std::string instead;  ///< What is shown instead while a barrier is removed; otherwise empty.
};

}  // namespace tilestep::model
