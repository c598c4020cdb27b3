// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "ui/kit/save_wish.h"

namespace tilestep::ui {

/// What the kinds of files that the dialogue offers hold.
enum class SaveGroup : uint8_t { picture, table, steps, window };

struct SaveKind {
  SaveAs as = SaveAs::png;
  SaveGroup group = SaveGroup::picture;
  std::string_view extension;  ///< ".png"; empty: a folder.
  const char* name = "";       ///< On a button.
};

/// In the order in which they are shown and chosen.
inline constexpr std::array<SaveKind, 12> kSaveKinds{{
    {SaveAs::png, SaveGroup::picture, ".png", "PNG"},
    {SaveAs::doublePng, SaveGroup::picture, ".png", "PNG, twice as fine"},
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
/// Whether such a file can be written in colours for paper.
[[nodiscard]] bool isDrawn(SaveAs as);
/// Whether files of some kind have this ending.
[[nodiscard]] bool isEnding(std::string_view extension);
/// The kind that the ending of a file's name says, which is `wanted` where that has this ending.
/// Where no kind has it, it belongs to a folder's name if a folder is wanted; otherwise nothing.
[[nodiscard]] std::optional<SaveAs> kindFor(std::string_view extension, SaveAs wanted);

}  // namespace tilestep::ui
