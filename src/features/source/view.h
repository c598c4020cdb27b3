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

/// What is known of the main kernel's source and PTX.
struct SourceView : View {
  static constexpr std::string_view kFeature = "source";
  std::shared_ptr<const RunCounts> counts;  ///< Of its lines and instructions.
  std::shared_ptr<const PtxView> ptx;       ///< Once asked for and there.
  std::string ptxFailure;                   ///< Why it is not there; empty while it may still come.
  /// Those of its instructions that the step runs, ascending.
  std::shared_ptr<const std::vector<uint32_t>> instructions;
};

}  // namespace tilestep::model
