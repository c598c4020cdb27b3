// SPDX-License-Identifier: Apache-2.0
#include "gfx/layout/layout_parts.h"

#include <algorithm>

namespace tilestep::gfx {

std::optional<size_t> only(const SceneModel& model, PanelRole role) {
  std::optional<size_t> found;
  for (size_t i = 0; i < model.panels.size(); ++i) {
    if (model.panels[i].role != role) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

bool formL(const SceneModel& model) {
  return model.panels.size() == 3 && only(model, PanelRole::left) && only(model, PanelRole::top) &&
         only(model, PanelRole::product);
}

bool isOutput(PanelRole role) {
  return role == PanelRole::output || role == PanelRole::product;
}

Grid place(float x, float y, Size size, float cell, float header) {
  x = std::round(x);
  y = std::round(y);
  return {{x, y, float(size.columns) * cell, float(size.rows) * cell}, cell, header};
}

float clearCell(const SceneModel& model, float text) {
  uint32_t most = 0;  // The largest number of rows or columns.
  for (const MatrixPanel& panel : model.panels) most = std::max({most, panel.rows, panel.columns});
  if (most <= 4) return 2.05F * text;   // Each cell shows a value of four characters.
  return most <= 8 ? 1.25F * text : 0;  // 20 pixels if the text has 16.
}

float scoreOf(float cell, float slot, bool corner, float clear) {
  // If cells are too small anyway, slots get the remaining space.
  const float unclear = cell < clear ? 3 * std::log(clear / std::max(cell, clear / 2)) : 0;
  return std::log(cell + 1e-6F) + 0.8F * std::log(slot + 1e-6F) - unclear -
         (slot < 1.15F * cell ? 2.0F : 0.0F) + (corner ? 0.3F : 0.0F);
}

}  // namespace tilestep::gfx
