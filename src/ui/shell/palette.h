// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ui/kit/context.h"

/// The command palette: everything that has a name, found by typing a part of it.
namespace tilestep::ui {

/// One thing that can be chosen or done.
struct PaletteItem {
  std::string name;  ///< "Kernel: tiled · Tiled product"
  std::string
      aside;  ///< Its key, or what tells it from others: "F5", "matmul_tiled". May be empty.
  std::function<void()> run;
};

/// Whether each word of `typed` occurs in the item's name or aside, whatever the case. Pure.
[[nodiscard]] bool matches(const PaletteItem& item, std::string_view typed);

/// All items: kernels, lessons, what the middle of the window can show, devices, and whatever has a
/// key of its own.
[[nodiscard]] std::vector<PaletteItem> paletteItems(const Context& context);

void togglePalette(UiState& ui);
/// Draws a window of its own while the palette is open.
void drawPalette(const Context& context);

}  // namespace tilestep::ui
