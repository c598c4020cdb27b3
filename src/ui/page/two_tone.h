// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/export/page.h"

namespace tilestep::ui {

/// Combines the light and the dark drawing into one picture (gfx::svgElementOf). If they differ
/// only in colours, each pair becomes a variable of the page, `var(--pN)`, which is added to
/// `colours` unless it is there. Otherwise the result is the light drawing with its own colours.
[[nodiscard]] std::string twoTone(std::string_view light, std::string_view dark,
                                  std::vector<model::PageColour>& colours);

}  // namespace tilestep::ui
