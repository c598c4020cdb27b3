// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "features/names.h"
#include "features/phases/phase_table.h"
#include "model/view.h"

namespace tilestep::features {

/// The tables of execution phases. Null until requested; null if there are no phases or too many.
struct PhasesView : View {
  static constexpr std::string_view kFeature = "phases";
  bool wanted = false;  ///< The tables are visible.
  std::shared_ptr<const PhaseTable> main, companion;

  void addTo(Shown& to) const override { to.phaseTable = wanted; }
};

}  // namespace tilestep::features
