// SPDX-License-Identifier: Apache-2.0
#include "gfx/drawing/svg.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "gfx/drawing/scene_drawing.h"
#include "support/results.h"
#include "unit/gfx/sample_scene.h"

namespace tilestep::gfx::svg_test {

constexpr Color kBlack = rgb(0), kRed = rgb(0xff0000);
constexpr Box kAll{0, 0, 100, 80};

Shape shape(decltype(Shape::what) what, Box clip = kAll) {
  return {std::move(what), clip, "panel"};
}

Shape textShape(const std::string& text, Box clip = kAll) {
  TextShape what;
  what.text = text;
  what.box = {10, 20, 30, 16};
  what.baseline = 32.5F;
  what.em = 13;
  what.color = rgb(0x102030);
  return shape(what, clip);
}

PolygonShape triangle(float x, Color fill) {
  return {{{x, 0}, {x + 8, 0}, {x, 8}}, fill};
}

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// The names of the elements that are still open at the end; "!" for each closing tag without an
/// opening tag.
std::vector<std::string> openAtEnd(const std::string& xml) {
  std::vector<std::string> open;
  for (size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
    const size_t end = xml.find('>', at);
    if (end == std::string::npos) return {"!"};
    const std::string tag = xml.substr(at + 1, end - at - 1);
    if (tag.ends_with('/')) continue;
    const std::string name = tag.substr(0, tag.find(' '));
    if (!name.starts_with('/')) {
      open.push_back(name);
    } else if (open.empty() || "/" + open.back() != name) {
      return {"!"};
    } else {
      open.pop_back();
    }
  }
  return open;
}

TEST(Svg, ATextRemainsTextWithItsWidth) {
  const std::string svg = svgOf({{textShape("a < b & \"c\"")}}, kAll, kBlack, {"A <title>", "why"});
  EXPECT_TRUE(has(svg,
                  "<text class=\"t\" x=\"10\" y=\"32.5\" font-size=\"13\" textLength=\"30\" "
                  "fill=\"#102030\">a &lt; b &amp; &quot;c&quot;</text>",
                  "<title>A &lt;title&gt;</title>\n<desc>why</desc>", "viewBox=\"0 0 100 80\""));
  EXPECT_TRUE(openAtEnd(svg).empty());
}

TEST(Svg, ARotatedTextTurnsAboutItsFirstPosition) {
  Shape turned = textShape("along");
  std::get<TextShape>(turned.what).angle = -std::numbers::pi_v<float> / 4;
  const std::string svg = svgOf({{turned}}, kAll, kBlack, {});
  EXPECT_TRUE(has(svg, "transform=\"rotate(-45 10 32.5)\""));
  // The corners are 12.5 above the baseline and 30 along it, both rotated by 45 degrees.
  const Box bounds = boundsOf(turned);
  EXPECT_NEAR(bounds.x, 10 - 12.5 * std::sqrt(0.5), 0.01);
  EXPECT_NEAR(bounds.y, 32.5 - 42.5 * std::sqrt(0.5), 0.01);
}

TEST(Svg, OnlyThePartIsKept) {
  const Drawing drawing{{textShape("seen"), shape(BoxShape{{60, 60, 10, 10}, 2, kRed})}};
  const std::string svg = svgOf(drawing, {0, 0, 50, 50}, kBlack, {});
  EXPECT_TRUE(has(svg, "seen"));
  EXPECT_FALSE(has(svg, "#ff0000"));
  EXPECT_TRUE(has(svgOf(drawing, {}, kBlack, {}), "#ff0000")) << "an empty part means all";
}

TEST(Svg, AShapeIsCutAtItsClip) {
  const Box small{0, 0, 30, 80};
  const std::string svg = svgOf({{textShape("cut", small), textShape("whole")}}, kAll, kBlack, {});
  EXPECT_EQ(count(svg, "<clipPath"), 1U);
  EXPECT_LT(svg.find("<g clip-path=\"url(#c0)\">"), svg.find("cut"));
  EXPECT_LT(svg.find("</g>"), svg.find("whole"));
  EXPECT_TRUE(openAtEnd(svg).empty());
  const std::string unseen = svgOf({{textShape("gone", {50, 0, 9, 80})}}, kAll, kBlack, {});
  EXPECT_FALSE(has(unseen, "gone"));
}

TEST(Svg, AdjacentPolygonsOfOneColourShareAPathAndDirection) {
  PolygonShape turned = triangle(20, kRed);
  std::swap(turned.corners[1], turned.corners[2]);
  const std::string svg =
      svgOf({{shape(triangle(0, kRed)), shape(turned), shape(triangle(40, rgb(0x00ff00)))}}, kAll,
            kBlack, {});
  EXPECT_EQ(count(svg, "<path"), 2U);
  EXPECT_TRUE(has(svg, "M0 0H8L0 8ZM28 0L20 8V0Z"));
  Color faint = kRed;
  faint.a = 51;
  const std::string faintSvg =
      svgOf({{shape(triangle(0, faint)), shape(triangle(20, faint)), shape(triangle(22, faint))}},
            kAll, kBlack, {});
  EXPECT_EQ(count(faintSvg, "<path"), 2U)
      << "a translucent polygon that overlaps another begins a new path";
  EXPECT_EQ(count(faintSvg, "fill-opacity=\"0.2\""), 2U);
}

TEST(Svg, NeighbouringLinesOfOneColourShareAPath) {
  const auto line = [](float x, float width) {
    return shape(LineShape{{x, 0}, {x, 9}, width, kRed});
  };
  const std::string svg = svgOf({{line(1, 1), line(2, 1), line(3, 2)}}, kAll, kBlack, {});
  EXPECT_TRUE(has(svg, "<path d=\"M1 0V9M2 0V9\" fill=\"none\" stroke=\"#ff0000\"/>"));
  EXPECT_EQ(count(svg, "<path"), 2U);
}

TEST(Svg, APartOfAPlainBoxNeedsNoClip) {
  const std::string svg =
      svgOf({{shape(BoxShape{{0, 0, 50, 50}, 0, kRed}, {10, 20, 30, 40})}}, kAll, kBlack, {});
  EXPECT_EQ(count(svg, "<clipPath"), 0U);
  EXPECT_TRUE(has(svg, "<rect x=\"10\" y=\"20\" width=\"30\" height=\"30\" fill=\"#ff0000\"/>"));
}

TEST(Svg, ABorderIsInsideItsBox) {
  BoxShape box;
  box.box = {10, 20, 30, 16};
  box.border = kRed;
  box.borderWidth = 2;
  const std::string svg = svgOf({{shape(box)}}, kAll, kBlack, {});
  EXPECT_TRUE(has(svg, "<rect x=\"11\" y=\"21\" width=\"28\" height=\"14\" fill=\"none\""));
}

TEST(Svg, AnElementOfAPageHasUniqueNames) {
  const Drawing drawing{{textShape("cut", {0, 0, 30, 80})}};
  const std::string svg = svgElementOf(drawing, kAll, {"A <title>", "why"}, "i7");
  EXPECT_TRUE(
      svg.starts_with("<svg role=\"img\" aria-labelledby=\"i7t\" aria-describedby=\"i7d\""));
  EXPECT_TRUE(has(svg, "<title id=\"i7t\">A &lt;title&gt;</title>", "<desc id=\"i7d\">why</desc>",
                  "<clipPath id=\"i7c0\">", "url(#i7c0)"));
  EXPECT_EQ(count(svg, "<style"), 0U);
  EXPECT_TRUE(openAtEnd(svg).empty());
}

SceneCall sceneOf(const SceneModel& model, float progress = 1) {
  SceneCall scene;
  scene.layers = std::make_shared<Layers>(buildLayers(
      std::make_shared<SceneModel>(model), arrange(model, {800, 1000, 16}), darkPalette()));
  scene.view.viewport = {100, 50, 800, 1000};
  scene.progress = progress;
  return scene;
}

template <class What>
size_t countOf(const Drawing& drawing) {
  size_t found = 0;
  for (const Shape& one : drawing.shapes) found += std::holds_alternative<What>(one.what) ? 1 : 0;
  return found;
}

TEST(SceneDrawing, HasACellForEachElementSlotAndThread) {
  Drawing drawing;
  describeScene(sceneOf(productScene(8, 8, 8, 4)), drawing);
  size_t elements = 0;
  for (const Shape& one : drawing.shapes) {
    const Box box = boundsOf(one);
    EXPECT_GE(box.x + box.width, 100);
    EXPECT_GE(box.y + box.height, 50);
    const auto* cell = std::get_if<BoxShape>(&one.what);
    if (cell == nullptr || cell->fill.a == 0 || cell->borderWidth > 0) continue;
    ++elements;
  }
  EXPECT_GE(elements, 3U * 64 + 48) << "three matrices of 8 × 8, two tiles and the sums of 4 × 4";
  EXPECT_TRUE(openAtEnd(svgOf(drawing, {}, kBlack, {})).empty());
}

TEST(SceneDrawing, AMatrixOfSmallCellsIsAnImage) {
  SceneModel model = productScene(8, 8, 8, 4);
  auto picture = std::make_shared<Picture>();
  picture->rows = picture->columns = 256;
  picture->values.assign(256 * 256, 0.25F);
  picture->values[1] = std::nanf("");
  model.panels[0].rows = model.panels[0].columns = 256;
  model.panels[0].picture = picture;
  Drawing drawing;
  describeScene(sceneOf(model), drawing);
  size_t images = 0;
  for (const Shape& one : drawing.shapes) {
    const auto* image = std::get_if<ImageShape>(&one.what);
    if (image == nullptr || image->columns != 256) continue;  // Other images have small cells, too.
    ++images;
    ASSERT_EQ(image->rgba.size(), 4U * 256 * 256);
    const Color value = valueColor(0.625F), none = darkPalette().surface;
    EXPECT_EQ((Color{image->rgba[0], image->rgba[1], image->rgba[2], image->rgba[3]}), value);
    EXPECT_EQ((Color{image->rgba[4], image->rgba[5], image->rgba[6], image->rgba[7]}), none);
  }
  EXPECT_EQ(images, 1U);
  EXPECT_EQ(count(svgOf(drawing, {}, kBlack, {}), "data:image/png;base64,iVBOR"),
            countOf<ImageShape>(drawing));
}

TEST(SceneDrawing, TravellingElementsAreBetweenTheirEnds) {
  SceneModel model = productScene(8, 8, 8, 4);
  model.links = {{{Place::In::panel, 0, 0, 0}, {Place::In::array, 0, 0, 0}, 0, false}};
  Drawing still, half;
  describeScene(sceneOf(model, 1), still);
  describeScene(sceneOf(model, 0.5F), half);
  EXPECT_EQ(countOf<LineShape>(still) - countOf<LineShape>(half), 0U);
  EXPECT_EQ(countOf<BoxShape>(half), countOf<BoxShape>(still) + 1);
}

TEST(Svg, CharactersThatXmlForbidsAreSpelledOut) {
  const std::string text = svgOf({}, {0, 0, 10, 10}, {}, {"b\xF6se\xEF\xBF\xBE.cu", "a\tb\x01"});
  EXPECT_TRUE(has(text, "b\\xf6se\\ufffe.cu", "a b\\x01"));
}

TEST(Svg, InfiniteAndHugeCoordinatesAreWrittenAsNumbers) {
  Drawing drawing;
  const float infinite = std::numeric_limits<float>::infinity();
  drawing.shapes.push_back({LineShape{{-3e33F, 1}, {5, infinite}, 1, {}}, {0, 0, 10, 10}, {}});
  const std::string text = svgOf(drawing, {0, 0, 10, 10}, {}, {});
  EXPECT_TRUE(has(text, "M-1000000 1L5 0"));
  EXPECT_FALSE(has(text, "inf"));
}

}  // namespace tilestep::gfx::svg_test
