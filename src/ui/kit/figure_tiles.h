// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/kit/context.h"

namespace tilestep::ui {

/// A figure in large type with its name below it.
struct FigureTile {
  std::string value, name;
  std::string hover;  ///< The figure's meaning and origin.
};

/// Draws a figure of one or more lines in large type, with its name below it.
void bigFigure(const Context& context, const std::vector<std::string>& lines,
               const std::string& name, const std::string& hover);

/// The time of the measured launch; absent if there is no measurement.
[[nodiscard]] std::optional<FigureTile> timeTile(const Context& context);

/// Whether the stage's remaining height is so low that a picture needs all of it.
[[nodiscard]] bool isLowStage(const Context& context);

/// Figures side by side at the top of a stage. On a low stage they are on one line in normal text
/// size, so that the picture below has more space.
void drawFigureTiles(const Context& context, const std::vector<FigureTile>& tiles);

}  // namespace tilestep::ui
