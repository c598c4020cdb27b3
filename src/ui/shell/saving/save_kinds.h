// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "ui/kit/save_wish.h"

namespace tilestep::ui {

enum class SaveGroup : uint8_t { picture, table, steps, window };

struct SaveKind {
  SaveAs as = SaveAs::png;
  SaveGroup group = SaveGroup::picture;
  std::string_view extension;  ///< ".png"; empty for a folder.
  const char* name = "";       ///< Button label.
};

/// In display and selection order.
inline constexpr std::array<SaveKind, 12> kSaveKinds{{
    {SaveAs::png, SaveGroup::picture, ".png", "PNG"},
    {SaveAs::doublePng, SaveGroup::picture, ".png", "PNG, double size"},
    {SaveAs::svg, SaveGroup::picture, ".svg", "SVG"},
    {SaveAs::pdf, SaveGroup::picture, ".pdf", "PDF"},
    {SaveAs::csv, SaveGroup::table, ".csv", "CSV"},
    {SaveAs::text, SaveGroup::table, ".txt", "text"},
    {SaveAs::json, SaveGroup::table, ".json", "JSON"},
    {SaveAs::stepPdf, SaveGroup::steps, ".pdf", "PDF, a page each"},
    {SaveAs::stepPngs, SaveGroup::steps, "", "folder of PNG"},
    {SaveAs::stepSvgs, SaveGroup::steps, "", "folder of SVG"},
    {SaveAs::webPage, SaveGroup::steps, ".html", "web page"},
    {SaveAs::report, SaveGroup::window, ".html", "full report (HTML)"},
}};

[[nodiscard]] const SaveKind& kindOf(SaveAs as);
/// Whether files of this kind can be drawn in print colours.
[[nodiscard]] bool isDrawn(SaveAs as);
/// Whether any kind has this extension.
[[nodiscard]] bool isEnding(std::string_view extension);
/// The kind for a file name's extension, preferring `wanted`. An unknown extension is part of the
/// name if `wanted` is a folder; otherwise the result is nullopt.
[[nodiscard]] std::optional<SaveAs> kindFor(std::string_view extension, SaveAs wanted);

}  // namespace tilestep::ui
