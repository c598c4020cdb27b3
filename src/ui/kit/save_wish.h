// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tilestep::ui {

enum class SaveAs : uint8_t {
  png,        ///< The view, at its size in pixels.
  doublePng,  ///< The view, with twice as many pixels in each direction.
  svg,
  pdf,
  csv,
  text,
  json,
  stepPngs,  ///< A folder with a picture of each step.
  stepSvgs,
  stepPdf,  ///< A page for each step.
  webPage,  ///< All steps as HTML.
  report,   ///< Everything that the window shows, as HTML.
  window,   ///< The whole window, as PNG.
};

/// A request to save something when the next frame has been drawn (ui/shell/saving/saver.h).
struct SaveWish {
  SaveAs as = SaveAs::window;
  std::filesystem::path path;  ///< The file, or the folder for pictures of the steps.
  std::string view;            ///< The id of its table (model/export/table.h).
  bool print = false;          ///< In colours for paper.
};

}  // namespace tilestep::ui
