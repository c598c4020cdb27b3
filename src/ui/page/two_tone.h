// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/export/page.h"

namespace tilestep::ui {

/// Makes one picture of its light and its dark drawing (gfx::svgElementOf): where they differ only
/// in colours, each colour becomes a variable of the page, `var(--pN)`, which is added to `colours`
/// if it is not among them. Otherwise the picture is the light one, with its colours as they are.
[[nodiscard]] std::string twoTone(std::string_view light, std::string_view dark,
                                  std::vector<model::PageColour>& colours);

}  // namespace tilestep::ui
