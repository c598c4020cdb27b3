// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "features/cube/cube_step.h"
#include "features/names.h"
#include "model/view.h"

namespace tilestep::features {

/// The m × n × k cube of the main kernel's product at the present step; null while hidden.
struct CubeView : View {
  static constexpr std::string_view kFeature = "cube";
  /// Null while the cube is hidden or being computed.
  std::shared_ptr<const CubeTrace> cube;
  std::shared_ptr<const CubeStep> step;    ///< Null if the kernel has no cube.
  std::shared_ptr<const TracedKernel> of;  ///< The kernel that it shows.
};

}  // namespace tilestep::features
