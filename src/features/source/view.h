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

struct SourceView : View {
  static constexpr std::string_view kFeature = "source";
  /// Execution counts of lines and instructions in the whole trace and in the present step.
  std::shared_ptr<const RunCounts> counts, stepCounts;
  std::shared_ptr<const PtxView> ptx;  ///< Null until requested and received.
  /// The reason why the PTX is not available; empty while it may still arrive.
  std::string ptxFailure;
};

}  // namespace tilestep::features
