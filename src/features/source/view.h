// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "features/names.h"
#include "features/source/ptx_view.h"
#include "model/view.h"

namespace tilestep::features {

/// Additional information about the main kernel's source and PTX.
struct SourceView : View {
  static constexpr std::string_view kFeature = "source";
  /// Execution counts of its lines and instructions: in the whole trace, and in the step.
  std::shared_ptr<const RunCounts> counts, stepCounts;
  std::shared_ptr<const PtxView> ptx;  ///< Null until it was requested and has arrived.
  /// Why the PTX is not available; empty while it may still arrive.
  std::string ptxFailure;
};

}  // namespace tilestep::features
