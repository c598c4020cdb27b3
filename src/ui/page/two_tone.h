// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/export/page.h"

namespace tilestep::ui {

/// Combines the light and the dark drawing, both made by gfx::svgElementOf, into one picture. If
/// the drawings differ only in colours, each pair of colours becomes a CSS variable, `var(--pN)`,
/// which is added to `colours` unless it is already there. Otherwise the result is the unchanged
/// light drawing.
[[nodiscard]] std::string twoTone(std::string_view light, std::string_view dark,
                                  std::vector<model::PageColour>& colours);

}  // namespace tilestep::ui
