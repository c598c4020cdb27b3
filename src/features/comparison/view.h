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

/// What stands beside the kernel, and what could.
struct ComparisonView : View {
  static constexpr std::string_view kFeature = "comparison";
  std::vector<std::string> kernels;  ///< Names of those that fit, as in the catalogue.
  std::optional<size_t> entry;       ///< In the catalogue; nothing: none stands there.
  compile::Bindings tunables;        ///< Its own in the scene, every name filled in.
  bool follows = true;               ///< None of them was chosen.
  bool ownBlock = false;             ///< Its blocks make other elements: it has one of its own.
  std::string trouble;               ///< Why what was chosen does not stand there; else empty.
  std::string together;              ///< How both are stepped, and where they stand.
  std::string instead;  ///< What stands there while a barrier is taken away; else empty.
};

}  // namespace tilestep::model
