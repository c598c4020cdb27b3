// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "features/names.h"
#include "gfx/renderer.h"
#include "ui/kit/legend.h"

namespace tilestep::features {

/// The legend of the marks in these scenes. `context` must outlive the result.
[[nodiscard]] std::vector<LegendMark> sceneMarks(const Context& context,
                                                 const std::vector<gfx::SceneCall>& scenes);

}  // namespace tilestep::features
