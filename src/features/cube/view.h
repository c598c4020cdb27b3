// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "features/cube/cube_step.h"
#include "features/names.h"
#include "model/view.h"

namespace tilestep::features {

/// The m × n × k cube of the main kernel's product, at the present step. Made only while it is
/// looked at.
struct CubeView : View {
  static constexpr std::string_view kFeature = "cube";
  std::shared_ptr<const CubeTrace> cube;  ///< Null unless it is looked at; where pending, it comes.
  std::shared_ptr<const CubeStep> step;   ///< Null where the cube has a trouble.
  std::shared_ptr<const TracedKernel> of;  ///< The kernel that it shows.
};

}  // namespace tilestep::features
