// SPDX-License-Identifier: Apache-2.0
#include "gfx/drawing/pdf.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "support/results.h"
#include "support/service.h"
#include "support/skips.h"
#include "support/tool.h"
#include "ui/kit/fonts.h"

namespace tilestep::gfx::pdf_test {

constexpr Box kAll{0, 0, 200, 100};
constexpr Color kWhite = rgb(0xffffff), kRed = rgb(0xff0000), kBlue = rgb(0x0000ff),
                kClear{0, 0, 0, 0};

Shape shape(decltype(Shape::what) what, Box clip = kAll) {
  return {std::move(what), clip, "panel"};
}

Shape textShape(const std::string& text, Typeface face = Typeface::text, float width = 90) {
  TextShape what;
  what.text = text;
  what.box = {10, 20, width, 16};
  what.baseline = 32.5F;
  what.em = 13;
  what.face = face;
  what.color = rgb(0x102030);
  return shape(what);
}

/// Reads PDF files with poppler's programs.
class PdfTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const ui::FontFiles files = ui::findFontFiles();
    if (files.text.empty() || files.mono.empty())
      GTEST_SKIP() << support::because(support::kNoFonts, "a PDF embeds what it is set in");
    fonts = {{files.text}, {files.strong}, {files.mono}};
    if (!files.fallback.empty())
      for (auto* face : {&fonts.text, &fonts.strong, &fonts.mono}) face->push_back(files.fallback);
    if (support::Running({"pdftotext", "-v"}).wait().status == 127)
      GTEST_SKIP() << support::because(support::kNoPdfReader);
  }
  /// The output of `words` for a PDF with these pages. "-" stands for the file's name.
  std::string read(const std::vector<PdfPage>& pages, support::Words words) {
    const Result<std::string> pdf = pdfOf(pages, {"A × title", "About it"}, fonts);
    EXPECT_TRUE(pdf);
    if (!pdf) return {};
    folder.write("a.pdf", *pdf);
    words.insert(words.begin() + 1, folder.path("a.pdf"));
    const support::Finished finished = support::Running(words).wait();
    EXPECT_EQ(finished.status, 0) << finished.err;
    EXPECT_EQ(finished.err, "");
    return finished.out;
  }
  std::string read(const std::vector<Shape>& shapes, const support::Words& words) {
    return read(std::vector<PdfPage>{{{shapes}, kAll, kWhite}}, words);
  }

  support::TemporaryFolder folder{"pdf"};
  TypefaceFiles fonts;
};

TEST_F(PdfTest, TextsCanBeSelectedAndFontsAreEmbedded) {
  const std::vector<Shape> shapes{textShape("tile 4 × 4 ÷ 2 … → ≥ Σ φ", Typeface::text, 165),
                                  textShape("__syncthreads();", Typeface::mono, 125)};
  const std::string text = read(shapes, {"pdftotext", "-"});
  EXPECT_TRUE(has(text, "tile 4 × 4 ÷ 2 … → ≥ Σ φ", "__syncthreads();"));
  const std::string listed = read(shapes, {"pdffonts"});
  EXPECT_TRUE(has(listed, " yes yes yes ")) << "embedded, subset, unicode";
  EXPECT_FALSE(has(listed, " no "));
}

TEST_F(PdfTest, DamagedBytesOfATextAreSpelledOut) {
  const std::string text = read({textShape("a\xff"
                                           "b",
                                           Typeface::mono)},
                                {"pdftotext", "-"});
  EXPECT_TRUE(has(text, "a\\xffb"));
}

TEST_F(PdfTest, ATextIsAsWideAsOnTheScreen) {
  const std::string words =
      read({textShape("abc", Typeface::mono, 30)}, {"pdftotext", "-bbox", "-"});
  const auto edge = [&](const char* name) {
    const size_t at = words.find(name);
    return at == std::string::npos ? 0 : std::strtod(words.c_str() + at + 6, nullptr);
  };
  EXPECT_NEAR(edge("xMin=\""), 0.75 * 10, 0.1) << words;
  EXPECT_NEAR(edge("xMax=\""), 0.75 * 40, 0.1) << words;
}

TEST_F(PdfTest, ThePageShowsTheShapes) {
  TextShape down = std::get<TextShape>(textShape("III", Typeface::strong, 30).what);
  down.box.x = 180;
  down.angle = 1.5708F;
  down.color = kRed;
  const std::string drawn =
      read({shape(BoxShape{{10, 10, 20, 20}, 0, kRed}),
            shape(PolygonShape{{{40, 10}, {60, 10}, {40, 30}}, kBlue}),
            shape(LineShape{{70, 20}, {90, 20}, 4, kRed}),
            shape(BoxShape{{100, 10, 40, 20}, 0, kBlue}, {100, 10, 10, 20}),
            shape(BoxShape{{150, 10, 20, 20}, 6, withAlpha(kRed, 0.5F)}),
            shape(ImageShape{{10, 50, 20, 20}, 2, 1, {0, 0, 255, 255, 255, 0, 0, 255}}),
            shape(BoxShape{{40, 50, 20, 20}, 0, kClear, kRed, 4}),
            shape(BoxShape{
                {70, 50, 20, 20}, 0, kClear, kClear, 0, false, BoxShape::Hatch::rising, kBlue}),
            shape(BoxShape{{300, 0, 10, 10}, 0, kRed}), shape(down)},
           {"pdftoppm", "-r", "96"});
  const std::string head = "P6\n200 100\n255\n";
  ASSERT_TRUE(drawn.starts_with(head)) << drawn.substr(0, 20);
  const auto pixel = [&](size_t x, size_t y) {
    const auto* at =
        reinterpret_cast<const uint8_t*>(drawn.data()) + head.size() + 3 * (y * 200 + x);
    return Color{at[0], at[1], at[2], 255};
  };
  const struct {
    size_t x, y;
    Color color;
    const char* what;
  } kExpected[]{{5, 5, kWhite, "background"},
                {20, 20, kRed, "box"},
                {44, 14, kBlue, "polygon"},
                {57, 27, kWhite, "beside the polygon"},
                {80, 20, kRed, "line"},
                {105, 20, kBlue, "inside the clip"},
                {120, 20, kWhite, "outside the clip"},
                {150, 10, kWhite, "round corner"},
                {12, 60, kBlue, "first pixel of the image"},
                {27, 60, kRed, "its second pixel"},
                {41, 60, kRed, "border"},
                {50, 60, kWhite, "inside the border"}};
  for (const auto& expected : kExpected)
    EXPECT_EQ(pixel(expected.x, expected.y), expected.color) << expected.what;
  EXPECT_NEAR(pixel(160, 20).g, 127, 2) << "translucent";
  size_t striped = 0, turned = 0;
  for (size_t y = 0; y < 100; ++y)
    for (size_t x = 0; x < 200; ++x) {
      const bool colored = pixel(x, y).g < 200;
      if (colored && x >= 70 && x < 90 && y >= 50 && y < 70) ++striped;
      if (colored && x >= 172 && y >= 32 && y < 64) ++turned;
    }
  EXPECT_GT(striped, 40U);
  EXPECT_LT(striped, 240U);
  EXPECT_GT(turned, 10U);
}

TEST_F(PdfTest, EachPageHasTheSizeOfItsDrawing) {
  const PdfPage page{{{textShape("one")}}, kAll, kWhite}, high{{}, {0, 0, 100, 200}, kWhite};
  const std::string told = read({page, page, high}, {"pdfinfo", "-l", "3"});
  for (const char* line :
       {"Pages:           3", "A × title", "About it", "Creator:         Tilestep",
        "Page    1 size:  150 x 75 pts", "Page    3 size:  75 x 150 pts"})
    EXPECT_TRUE(has(told, line)) << line << "\n";
}

TEST_F(PdfTest, AMissingOrDamagedFontIsAnError) {
  EXPECT_TRUE(fails(pdfOf({}, {}, {}), "fonts"));
  for (const char* name : {"no.ttf", "absent.ttf"}) {
    folder.write("no.ttf", "This is no font at all.");
    const std::string path = folder.path(name);
    EXPECT_TRUE(fails(pdfOf({}, {}, {{path}, {path}, {path}}), name));
  }
}

}  // namespace tilestep::gfx::pdf_test
