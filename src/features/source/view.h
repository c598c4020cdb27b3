// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "features/source/ptx_view.h"
#include "model/view.h"

namespace tilestep::model {

/// Additional information about the main kernel's source and PTX.
struct SourceView : View {
  static constexpr std::string_view kFeature = "source";
  std::shared_ptr<const RunCounts> counts;  ///< Execution counts of its lines and instructions.
  std::shared_ptr<const PtxView> ptx;       ///< Null until it was requested and has arrived.
  /// Why the PTX is not available; empty while it may still arrive.
  std::string ptxFailure;
  /// The PTX instructions that the step runs, ascending.
  std::shared_ptr<const std::vector<uint32_t>> instructions;
};

}  // namespace tilestep::model
