// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gfx/scene.h"

namespace tilestep::gfx {

inline std::shared_ptr<const Picture> filled(uint32_t rows, uint32_t columns, float value) {
  return std::make_shared<Picture>(
      Picture{rows, columns, std::vector<float>(size_t{rows} * columns, value)});
}

inline MatrixPanel panelOf(const char* name, PanelRole role, uint32_t rows, uint32_t columns) {
  MatrixPanel panel;
  panel.name = name;
  panel.role = role;
  panel.rows = rows;
  panel.columns = columns;
  // Large panels have no picture; tests that need values there add them.
  if (size_t{rows} * columns <= 65536) panel.picture = filled(rows, columns, 0);
  return panel;
}

inline SlotArray arrayOf(const char* name, uint32_t rows, uint32_t columns) {
  SlotArray array;
  array.name = name;
  array.rows = rows;
  array.columns = columns;
  array.slots.resize(size_t{rows} * columns);
  return array;
}

/// A product m x k by k x n with square tiles before its first step, with panels as the program
/// fills them.
inline SceneModel productScene(uint32_t m, uint32_t n, uint32_t k, uint32_t tile) {
  SceneModel model;
  model.title = "matmul_tiled";
  model.panels = {panelOf("M", PanelRole::left, m, k), panelOf("N", PanelRole::top, k, n),
                  panelOf("P", PanelRole::product, m, n)};
  for (MatrixPanel& panel : model.panels) panel.gridRows = panel.gridColumns = tile;
  model.arrays = {arrayOf("Mds", tile, tile), arrayOf("Nds", tile, tile)};
  ThreadGrid threads;
  threads.name = "Pvalue";
  threads.rows = threads.columns = tile;
  threads.threads.resize(size_t{tile} * tile);
  for (Accumulator& t : threads.threads) t.ofTerms = k;
  model.threads = {threads};
  return model;
}

}  // namespace tilestep::gfx
