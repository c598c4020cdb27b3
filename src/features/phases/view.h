// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "features/phases/phase_table.h"
#include "model/view.h"

namespace tilestep::model {

/// The execution phases, threads against phases; null where nobody asked for them yet, and where
/// there are none or too many.
struct PhasesView : View {
  static constexpr std::string_view kFeature = "phases";
  bool wanted = false;  ///< They are looked at.
  std::shared_ptr<const PhaseTable> main, companion;
};

}  // namespace tilestep::model
