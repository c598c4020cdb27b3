// SPDX-License-Identifier: Apache-2.0
#include "gfx/pdf/pdf.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/files.h"
#include "gfx/pdf/cff.h"
#include "gfx/pdf/pdf_file.h"
#include "gfx/pdf/utf8.h"
#include "support/skips.h"
#include "support/tool.h"
#include "ui/kit/fonts.h"

namespace tilestep::gfx {
namespace pdf_test {

namespace fs = std::filesystem;

constexpr Box kAll{0, 0, 200, 100};
constexpr Color kWhite = rgb(0xffffff), kRed = rgb(0xff0000), kBlue = rgb(0x0000ff);

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

/// The numbered objects that the file's table lists; fails where an offset is not that of its
/// object.
std::vector<std::string> objectsOf(const std::string& pdf) {
  std::vector<std::string> objects;
  const size_t last = pdf.rfind("startxref\n");
  EXPECT_NE(last, std::string::npos);
  const size_t table = std::strtoul(pdf.c_str() + last + 10, nullptr, 10);
  EXPECT_EQ(pdf.substr(table, 7), "xref\n0 ");
  const size_t count = std::strtoul(pdf.c_str() + table + 7, nullptr, 10);
  size_t row = pdf.find("0000000000 65535 f \n", table) + 20;
  for (size_t number = 1; number < count; ++number, row += 20) {
    const size_t offset = std::strtoul(pdf.c_str() + row, nullptr, 10);
    EXPECT_EQ(pdf.substr(row + 10, 10), " 00000 n \n");
    const std::string head = std::to_string(number) + " 0 obj\n";
    EXPECT_EQ(pdf.substr(offset, head.size()), head);
    const size_t start = offset + head.size();
    objects.push_back(pdf.substr(start, pdf.find("\nendobj\n", start) - start));
  }
  return objects;
}

/// What is in an object's stream; empty where it has none.
std::string contentOf(const std::string& object) {
  const size_t at = object.find("/Length "), start = object.find("stream\n");
  if (at == std::string::npos || start == std::string::npos) return {};
  const size_t length = std::strtoul(object.c_str() + at + 8, nullptr, 10);
  EXPECT_EQ(object.substr(start + 7 + length), "\nendstream");
  std::string text(size_t{1} << 20, '\0');
  uLongf size = text.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(text.data()), &size,
                       reinterpret_cast<const Bytef*>(object.data() + start + 7),
                       static_cast<uLong>(length)),
            Z_OK);
  text.resize(size);
  return text;
}

/// The content of the first stream that contains `part`.
std::string streamWith(const std::string& pdf, const std::string& part) {
  for (const std::string& object : objectsOf(pdf)) {
    const std::string content = contentOf(object);
    if (content.find(part) != std::string::npos) return content;
  }
  return {};
}

class PdfTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const ui::FontFiles files = ui::findFontFiles();
    if (files.text.empty() || files.mono.empty())
      GTEST_SKIP() << support::because(support::kNoFonts, "a PDF embeds what it is set in");
    fonts = {{files.text}, {files.strong}, {files.mono}};
    if (!files.fallback.empty())
      for (auto* face : {&fonts.text, &fonts.strong, &fonts.mono}) face->push_back(files.fallback);
    std::string pattern = (fs::temp_directory_path() / "tilestep-pdf-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
  }
  void TearDown() override {
    std::error_code ignored;
    if (!folder.empty()) fs::remove_all(folder, ignored);
  }
  std::string made(const std::vector<Shape>& shapes) {
    const Result<std::string> pdf = pdfOf({{{{shapes}, kAll, kWhite}}}, {"A × title", ""}, fonts);
    EXPECT_TRUE(pdf);
    return pdf ? *pdf : "";
  }
  /// Runs one of poppler's programs on the file; nothing where it is not installed.
  std::optional<std::string> read(const std::string& pdf, support::Words words) {
    std::ofstream(folder / "a.pdf", std::ios::binary) << pdf;
    words.insert(words.begin() + 1, (folder / "a.pdf").string());
    const support::Finished finished = support::Running(words).wait();
    if (finished.status == 127) return std::nullopt;
    EXPECT_EQ(finished.status, 0) << finished.err;
    EXPECT_EQ(finished.err, "");
    return finished.out;
  }

  TypefaceFiles fonts;
  fs::path folder;
};

TEST(PdfFile, AStreamThatCannotBeCompressedIsAnError) {
  size_t streams = 0;
  PdfFile file([&](std::string_view content) -> std::optional<std::string> {
    if (++streams == 2) return std::nullopt;
    return std::string(content);
  });
  const size_t first = file.addStream("", "one");
  EXPECT_TRUE(file.take(first, first));
  file.addStream("", "two");
  file.addStream("", "three");
  const Result<std::string> bytes = file.take(first, first);
  ASSERT_FALSE(bytes);
  EXPECT_NE(bytes.error().message.find("memory"), std::string::npos) << bytes.error().message;
}

TEST_F(PdfTest, TheTableFindsEveryObjectAndThePageIsThePicture) {
  const std::string pdf = made({textShape("abc"), shape(BoxShape{{1, 2, 3, 4}, 2, kRed})});
  EXPECT_TRUE(pdf.starts_with("%PDF-1.7\n"));
  EXPECT_TRUE(pdf.ends_with("%%EOF\n"));
  EXPECT_GT(objectsOf(pdf).size(), 6U);
  EXPECT_NE(pdf.find("/MediaBox [0 0 150 75]"), std::string::npos) << "200 × 100 pixels in points";
  EXPECT_NE(pdf.find("/Title <FEFF0041002000D7"), std::string::npos);
  EXPECT_EQ(pdf, made({textShape("abc"), shape(BoxShape{{1, 2, 3, 4}, 2, kRed})}));
}

TEST_F(PdfTest, EachSignOfATextIsKnownByItsCharacter) {
  const std::string pdf = made({textShape("2 × 3 ÷ 4 … → ≥ Σ")});
  const std::string map = streamWith(pdf, "beginbfchar");
  for (const char* code : {"<00D7>", "<00F7>", "<2026>", "<0032>"})
    EXPECT_NE(map.find(code), std::string::npos) << code;
  const std::string page = streamWith(pdf, " Tj");
  EXPECT_NE(page.find("BT "), std::string::npos);
  EXPECT_EQ(page.find("<0000>"), std::string::npos) << "no sign is missing";
}

TEST_F(PdfTest, ATextIsAsWideAsItWas) {
  const std::string page = streamWith(made({textShape("abc", Typeface::mono, 30)}), " Tj");
  const Result<OutlineFont> font = OutlineFont::read(fonts.mono.front());
  ASSERT_TRUE(font);
  const float em = 16 / (font->ascent() - font->descent());
  const float natural = 3 * em * font->advanceOf(font->glyphOf('a'));
  const float stretch = std::strtof(page.c_str() + page.find("BT ") + 3, nullptr);
  EXPECT_NEAR(stretch, 100 * 30 / natural, 0.1F);
}

TEST_F(PdfTest, ShapesStayShapes) {
  const std::string page = streamWith(
      made({shape(PolygonShape{{{0, 0}, {8, 0}, {0, 8}}, kRed}),
            shape(LineShape{{1, 2}, {3, 4}, 2, kBlue}),
            shape(BoxShape{{10, 10, 20, 20}, 0, withAlpha(kRed, 0.5F)}, {10, 10, 5, 5})}),
      "cm\n");
  EXPECT_NE(page.find("0 0 m 8 0 l 0 8 l h\nf"), std::string::npos) << page;
  EXPECT_NE(page.find("0 0 1 RG\n2 w\n1 2 m 3 4 l S"), std::string::npos) << page;
  EXPECT_NE(page.find("q 10 10 5 5 re W n\n"), std::string::npos) << page;
  EXPECT_NE(page.find("/G128 gs"), std::string::npos) << page;
}

TEST_F(PdfTest, BehindAClipAColourIsSetAnew) {
  const Shape whole = shape(BoxShape{{30, 0, 8, 8}, 0, kRed});
  const Shape cut = shape(BoxShape{{0, 0, 20, 20}, 0, kRed}, {0, 0, 5, 5});
  const std::string page =
      streamWith(made({shape(BoxShape{{50, 0, 8, 8}, 0, kBlue}), cut, whole}), "cm\n");
  const size_t end = page.find("Q\n");
  ASSERT_NE(end, std::string::npos) << page;
  EXPECT_NE(page.find("1 0 0 rg", end), std::string::npos) << page;
}

TEST_F(PdfTest, WhatIsOutsideIsLeftOut) {
  const std::string page = streamWith(made({shape(BoxShape{{300, 0, 10, 10}, 0, kRed})}), "cm\n");
  EXPECT_EQ(page.find("1 0 0 rg"), std::string::npos) << page;
}

TEST_F(PdfTest, AMissingFontIsSaid) {
  const Result<std::string> none = pdfOf({}, {}, {});
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("fonts"), std::string::npos);
  std::ofstream(folder / "no.ttf") << "This is no font at all.";
  const std::string path = (folder / "no.ttf").string();
  const Result<std::string> bad = pdfOf({}, {}, {{path}, {path}, {path}});
  ASSERT_FALSE(bad);
  EXPECT_NE(bad.error().message.find("no.ttf"), std::string::npos) << bad.error().message;
}

TEST_F(PdfTest, AnotherProgramReadsTheTexts) {
  // About as wide as the fonts set them: readers tell blanks by distances.
  const std::string pdf = made({textShape("tile 4 × 4 ÷ 2 … → ≥ Σ φ", Typeface::text, 165),
                                textShape("__syncthreads();", Typeface::mono, 125)});
  const auto text = read(pdf, {"pdftotext", "-"});
  if (!text) GTEST_SKIP() << support::because(support::kNoPdfReader, "pdftotext");
  EXPECT_NE(text->find("tile 4 × 4 ÷ 2 … → ≥ Σ φ"), std::string::npos) << *text;
  EXPECT_NE(text->find("__syncthreads();"), std::string::npos) << *text;
}

TEST_F(PdfTest, AnotherProgramDrawsThePage) {
  const std::string pdf = made({shape(BoxShape{{20, 10, 40, 40}, 0, kRed}),
                                shape(ImageShape{{100, 50, 50, 50}, 1, 1, {0, 0, 255, 255}})});
  const auto drawn = read(pdf, {"pdftoppm", "-r", "96"});
  if (!drawn) GTEST_SKIP() << support::because(support::kNoPdfReader, "pdftoppm");
  const std::string head = "P6\n200 100\n255\n";
  ASSERT_TRUE(drawn->starts_with(head)) << drawn->substr(0, 20);
  const auto pixel = [&](size_t x, size_t y) {
    return drawn->substr(head.size() + 3 * (y * 200 + x), 3);
  };
  EXPECT_EQ(pixel(40, 30), std::string("\xff\0\0", 3));
  EXPECT_EQ(pixel(5, 5), "\xff\xff\xff");
  EXPECT_EQ(pixel(125, 75), std::string("\0\0\xff", 3));
}

TEST_F(PdfTest, EachDrawingIsAPage) {
  const PdfPage page{{{textShape("one")}}, kAll, kWhite};
  const Result<std::string> pdf = pdfOf(std::vector{page, page, page}, {"three", ""}, fonts);
  ASSERT_TRUE(pdf);
  EXPECT_NE(pdf->find("/Count 3"), std::string::npos);
  EXPECT_EQ(objectsOf(*pdf).size(), objectsOf(made({textShape("one")})).size() + 4);
}

TEST(Utf8, DamagedBytesBecomeOneSignEach) {
  EXPECT_EQ(charactersOf("a×→"), (std::vector<char32_t>{'a', 0xD7, 0x2192}));
  EXPECT_EQ(charactersOf("\xff\xc3"), (std::vector<char32_t>{0xFFFD, 0xFFFD}));
  EXPECT_EQ(charactersOf("\xed\xa0\x80").front(), char32_t{0xFFFD}) << "a surrogate";
  EXPECT_EQ(charactersOf("\xc0\x80").front(), char32_t{0xFFFD}) << "too long";
}

}  // namespace pdf_test
}  // namespace tilestep::gfx
