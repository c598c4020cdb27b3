// SPDX-License-Identifier: Apache-2.0
#include "gfx/pdf/pdf.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "gfx/drawing/number.h"
#include "gfx/pdf/page_content.h"

namespace tilestep::gfx {
namespace {

/// Each file once, and for each typeface the places of its fonts.
struct ReadFonts {
  std::vector<EmbeddedFont> fonts;
  std::array<std::vector<size_t>, 3> faces;
};

Result<ReadFonts> readFonts(const TypefaceFiles& files) {
  ReadFonts read;
  std::map<std::string, size_t> places;
  size_t face = 0;
  for (const auto* paths : {&files.text, &files.strong, &files.mono}) {
    for (const std::string& path : *paths) {
      const auto [at, fresh] = places.try_emplace(path, read.fonts.size());
      if (fresh) {
        Result<OutlineFont> font = OutlineFont::read(path);
        if (!font) return font.error();
        read.fonts.emplace_back(std::move(*font));
      }
      read.faces[face].push_back(at->second);
    }
    if (read.faces[face].empty())
      return requestError(
          "A PDF needs the fonts that it is set in; install Inter and JetBrains Mono, or DejaVu");
    ++face;
  }
  return read;
}

}  // namespace

Result<std::string> pdfOf(std::span<const PdfPage> pages, const PdfInfo& info,
                          const TypefaceFiles& fonts) {
  Result<ReadFonts> read = readFonts(fonts);
  if (!read) return read.error();
  PdfFile file;
  PdfResources resources(file, std::move(read->fonts), std::move(read->faces));
  const size_t tree = file.reserve(), shared = file.reserve();
  std::string kids;
  for (const PdfPage& page : pages) {
    const size_t content =
        file.addStream("", pageContentOf(page.drawing, page.part, page.background, resources));
    const size_t added =
        file.add("<</Type /Page /Parent " + reference(tree) + " /MediaBox [0 0 " +
                 number(kPoints * page.part.width) + " " + number(kPoints * page.part.height) +
                 "] /Resources " + reference(shared) + " /Contents " + reference(content) + ">>");
    kids += reference(added) + " ";
  }
  file.set(tree,
           "<</Type /Pages /Count " + std::to_string(pages.size()) + " /Kids [" + kids + "]>>");
  file.set(shared, resources.finish());
  const size_t catalog = file.add("<</Type /Catalog /Lang (en) /Pages " + reference(tree) +
                                  " /ViewerPreferences <</DisplayDocTitle true>>>>");
  const std::string subject = info.subject.empty() ? "" : " /Subject " + pdfText(info.subject);
  return file.take(
      catalog, file.add("<</Title " + pdfText(info.title) + subject + " /Creator (Tilestep)>>"));
}

}  // namespace tilestep::gfx
