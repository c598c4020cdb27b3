// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "ui/kit/feature_panel.h"

/// The command palette: finds any named command or item by a part of its name.
namespace tilestep::ui {

/// Whether each word of `typed` occurs in the item's name or aside, ignoring case. Pure.
[[nodiscard]] bool matches(const PaletteItem& item, std::string_view typed);

/// All items: kernels, lessons, views of the stage, devices, and every command that has a key.
[[nodiscard]] std::vector<PaletteItem> paletteItems(const Context& context);

void togglePalette(UiState& ui);
/// Draws the palette in its own window while it is open.
void drawPalette(const Context& context);

}  // namespace tilestep::ui
