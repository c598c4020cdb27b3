// SPDX-License-Identifier: Apache-2.0
#include "gfx/layers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "unit/gfx/sample_scene.h"

namespace tilestep::gfx::layers_test {

Layers layersOf(const SceneModel& model, Palette palette = darkPalette()) {
  return buildLayers(std::make_shared<SceneModel>(model), arrange(model, {800, 1000, 16}), palette);
}

size_t withBorder(const std::vector<RectInstance>& items, Color color) {
  return size_t(std::count_if(items.begin(), items.end(),
                              [&](const RectInstance& r) { return r.border == color; }));
}

TEST(BuildLayers, TheCurrentStepIsAccentedAndGlows) {
  SceneModel model = productScene(8, 8, 8, 4);
  const Palette p = darkPalette();
  EXPECT_EQ(withBorder(layersOf(model).marks.items, p.accent), 0U);
  model.panels[0].highlights = {{{0, 4, 4, 4}, Mark::now}, {{0, 0, 4, 4}, Mark::used}};
  const Layers layers = layersOf(model);
  ASSERT_EQ(withBorder(layers.marks.items, p.accent), 1U);
  const auto now = std::find_if(layers.marks.items.begin(), layers.marks.items.end(),
                                [&](const RectInstance& r) { return r.border == p.accent; });
  EXPECT_GT(now->glowPx, 0);
  const Grid& m = layers.layout.panels[0];
  EXPECT_EQ(now->box, (Box{m.box.x + 4 * m.cell, m.box.y, 4 * m.cell, 4 * m.cell}));
}

TEST(BuildLayers, MarkedCellsBecomeRuns) {
  SceneModel model = productScene(8, 8, 8, 4);
  for (uint32_t i = 0; i < 4; ++i) {
    model.panels[0].cells.push_back({i, 5, Mark::now, 4});
    model.panels[1].cells.push_back({5, i, Mark::now, 4});
  }
  const Layers layers = layersOf(model);
  EXPECT_EQ(layers.matrices[0].focus, (std::vector<CellRect>{{0, 5, 4, 1}}));
  EXPECT_EQ(layers.matrices[1].focus, (std::vector<CellRect>{{5, 0, 1, 4}}));
  EXPECT_EQ(withBorder(layers.marks.items, darkPalette().accent), 2U);
}

TEST(BuildLayers, TooManyFociBecomeTheirHull) {
  SceneModel model = productScene(64, 64, 64, 4);
  for (uint32_t i = 0; i < 40; ++i)
    model.panels[0].cells.push_back({i, (i * 7) % 60, Mark::now, 0});
  const Layers layers = layersOf(model);
  ASSERT_EQ(layers.matrices[0].focus.size(), 1U);
  EXPECT_EQ(layers.matrices[0].focus[0].rows, 40U);
}

TEST(BuildLayers, HighlightsAreClippedToTheMatrix) {
  SceneModel model = productScene(5, 5, 5, 4);
  model.panels[2].highlights = {{{4, 4, 4, 4}, Mark::chosen}, {{9, 9, 4, 4}, Mark::chosen}};
  const Layers layers = layersOf(model);
  EXPECT_EQ(layers.matrices[2].focus, (std::vector<CellRect>{{4, 4, 1, 1}}));
}

TEST(BuildLayers, WrittenFreshAndEmptySlotsDiffer) {
  SceneModel model = productScene(8, 8, 8, 4);
  model.arrays[0].slots[1] = {.value = 1, .written = true};
  model.arrays[0].slots[2] = {.value = 1, .written = true, .fresh = true};
  const Palette p = darkPalette();
  const auto cells = layersOf(model).cells.items;
  EXPECT_EQ(cells[0].fill, p.background);
  EXPECT_EQ(cells[1].fill, valueColor(1));
  EXPECT_EQ(cells[1].border, p.line);
  EXPECT_EQ(cells[2].border, p.accent);
}

TEST(BuildLayers, TheFrameShowsThatAllSlotsAreFresh) {
  SceneModel model = productScene(8, 8, 8, 4);
  for (Slot& s : model.arrays[1].slots) s = {.value = 0, .written = true, .fresh = true};
  const Layers layers = layersOf(model);
  EXPECT_EQ(withBorder(layers.cells.items, darkPalette().accent), 0U);
  EXPECT_EQ(withBorder(layers.marks.items, darkPalette().accent), 1U);
}

TEST(BuildLayers, WarpStripsAppearOnlyIfWarpsDiffer) {
  SceneModel model = productScene(8, 8, 8, 4);
  for (Slot& s : model.arrays[0].slots) s = {.value = 0, .written = true, .warp = 0};
  EXPECT_EQ(layersOf(model).cells.items.size(), 48U);
  model.arrays[0].slots[15].warp = 1;
  const auto cells = layersOf(model).cells.items;
  EXPECT_EQ(cells.size(), 64U);
  EXPECT_EQ(cells[1].fill, darkPalette().category(0));
}

TEST(BuildLayers, AnAbsentArrayIsADashedFrame) {
  SceneModel model = productScene(8, 8, 8, 4);
  model.arrays[0].absent = true;
  const Layers layers = layersOf(model);
  EXPECT_EQ(layers.cells.items.size(), 32U);
  EXPECT_EQ(std::ranges::count(layers.marks.items, 1.0F, &RectInstance::dash), 1);
}

SceneModel loading(bool motion, uint32_t tile = 4) {
  SceneModel model = productScene(2 * tile, 2 * tile, 2 * tile, tile);
  model.motion = motion;
  for (uint32_t r = 0; r < tile; ++r)
    for (uint32_t c = 0; c < tile; ++c)
      model.links.push_back(
          {.from = {Place::In::panel, 0, r, c}, .to = {Place::In::array, 0, r, c}, .warp = int(r)});
  return model;
}

TEST(Links, AnElementTravelsFromItsCellToItsSlot) {
  const Layers layers = layersOf(loading(true));
  ASSERT_EQ(layers.flights.size(), 1U);
  const Flight& flight = layers.flights[0];
  ASSERT_EQ(flight.movers.items.size(), 16U);
  const MoverInstance& mover = flight.movers.items[6];
  EXPECT_EQ(mover.from, layers.layout.panels[0].cellBox(1, 2));
  EXPECT_EQ(mover.to, layers.layout.arrays[0].cellBox(1, 2));
  EXPECT_EQ(mover.border, darkPalette().category(1));
  EXPECT_EQ(flight.paths.items.size(), 16U);
  EXPECT_TRUE(layersOf(loading(true, 16)).flights[0].paths.items.empty());
}

/// The renderer redraws only inside the flight's box.
TEST(Links, AFlightsBoxAlwaysContainsItsElements) {
  const Flight flight = layersOf(loading(true)).flights[0];
  for (const float progress : {0.0F, 0.2F, 0.5F, 0.9F, 1.0F}) {
    const Box around = flight.moversAt(progress), paths = flight.pathsAt(progress);
    const float t = eased(progress);
    for (const MoverInstance& mover : flight.movers.items) {
      const Point from = mover.from.center(), to = mover.to.center();
      const Point at{from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t};
      EXPECT_TRUE(around.contains(at)) << progress;
      EXPECT_TRUE(paths.contains(at) && paths.contains(to)) << progress;
    }
    EXPECT_LT(around.width * around.height, paths.width * paths.height + 1);
  }
}

TEST(Links, EachPairOfGridsHasItsMovingElements) {
  SceneModel model = loading(true);
  const size_t loads = model.links.size();
  for (size_t i = 0; i < loads; ++i) {
    Link link = model.links[i];
    link.from.index = link.to.index = 1;
    model.links.push_back(link);
  }
  const Layers layers = layersOf(model);
  ASSERT_EQ(layers.flights.size(), 2U);
  EXPECT_EQ(layers.flights[0].movers.items.size(), layers.flights[1].movers.items.size());
}

TEST(Links, FewStaticArrowsAtRest) {
  const Layers few = layersOf(loading(false));
  EXPECT_TRUE(few.flights.empty());
  EXPECT_EQ(few.lines.items.size(), 16U);
  EXPECT_GT(few.lines.items[0].arrowPx, 0);
  EXPECT_EQ(layersOf(loading(true, 32)).lines.items.size(), 16U);
}

TEST(Links, AHighlightedLinkIsAlwaysDrawn) {
  SceneModel model = loading(false, 32);
  for (const size_t i : {size_t{3}, size_t{500}, size_t{1023}}) model.links[i].highlighted = true;
  const auto lines = layersOf(model).lines.items;
  const auto accents = std::count_if(lines.begin(), lines.end(), [](const LineInstance& l) {
    return l.color == darkPalette().accent;
  });
  EXPECT_EQ(accents, 3);
}

TEST(Links, ALinkWithoutAnEndIsOmitted) {
  SceneModel model = loading(true);
  model.links[0].to.index = 9;
  model.links[1].from.in = Place::In::none;
  EXPECT_EQ(layersOf(model).flights[0].movers.items.size(), 14U);
}

Ribbon ribbonOf(Place::In to, float share) {
  return {{Place::In::panel, 0, {0, 0, 16, 16}}, {to, 0, {0, 0, 16, 16}}, share, "4,096 loads"};
}

TEST(BuildLayers, ARibbonsWidthDependsOnlyOnItsShare) {
  SceneModel model = productScene(32, 32, 32, 16);
  model.overview = true;
  model.ribbons = {ribbonOf(Place::In::threads, 1), ribbonOf(Place::In::array, 1.0F / 16)};
  const Layers layers = layersOf(model);
  ASSERT_EQ(layers.ribbons.items.size(), 3U);  // The wide ribbon has a bend.
  const LineInstance &wide = layers.ribbons.items[0], &narrow = layers.ribbons.items[2];
  EXPECT_FLOAT_EQ(wide.widthPx, 16 * narrow.widthPx);
  EXPECT_GT(wide.headPx, wide.widthPx);
  EXPECT_NE(layers.ribbons.hash, layersOf(productScene(32, 32, 32, 16)).ribbons.hash);
}

TEST(BuildLayers, ARibbonBetweenRowsLeavesTheirNamesFree) {
  SceneModel model;
  model.panels = {panelOf("in", PanelRole::input, 1, 64),
                  panelOf("work", PanelRole::output, 1, 64)};
  model.overview = true;
  model.ribbons = {
      {{Place::In::panel, 0, {0, 0, 1, 64}}, {Place::In::panel, 1, {0, 0, 1, 64}}, 1, "64 stores"}};
  const Layers layers = layersOf(model);
  ASSERT_EQ(layers.ribbons.items.size(), 1U);
  const LineInstance& line = layers.ribbons.items[0];
  EXPECT_LE(line.widthPx, layers.layout.textHeight);
  EXPECT_LE(line.headPx, std::hypot(line.to.x - line.from.x, line.to.y - line.from.y));
  const Grid& end = layers.layout.panels[1];
  EXPECT_FALSE((Box{end.box.x, end.box.y - end.headerHeight, end.box.width, end.headerHeight})
                   .contains(line.to));
}

TEST(BuildLayers, ARibbonGoesAroundAMatrixBetweenItsEnds) {
  SceneModel model = productScene(32, 32, 32, 16);
  model.overview = true;
  for (const uint32_t panel : {0U, 1U}) {
    SCOPED_TRACE(panel);
    Ribbon ribbon = ribbonOf(Place::In::threads, 1.0F / 64);
    ribbon.from.index = panel;
    model.ribbons = {ribbon};
    const Layers layers = layersOf(model);
    ASSERT_EQ(layers.ribbons.items.size(), 2U);
    const LineInstance &last = layers.ribbons.items[0], &first = layers.ribbons.items[1];
    EXPECT_EQ(first.to, last.from);
    EXPECT_EQ(first.widthPx, last.widthPx);
    EXPECT_TRUE(first.from.x == first.to.x || first.from.y == first.to.y);
    EXPECT_TRUE(last.from.x == last.to.x || last.from.y == last.to.y);
    EXPECT_NE(first.from.x == first.to.x, last.from.x == last.to.x) << "a right angle";
    // The first part includes the corner, and the last part begins after it.
    EXPECT_EQ(first.reachPx, first.widthPx / 2);
    EXPECT_EQ(last.skipPx, last.widthPx / 2);
    EXPECT_EQ(first.skipPx + last.reachPx, 0);
    EXPECT_EQ(first.arrowPx, 0);
    EXPECT_GT(last.arrowPx, 0);
    for (const LineInstance& line : {first, last})
      for (float t = 0; t <= 1; t += 0.01F) {
        const Point at{line.from.x + (line.to.x - line.from.x) * t,
                       line.from.y + (line.to.y - line.from.y) * t};
        EXPECT_FALSE(layers.layout.panels[2].box.contains(at)) << t;
      }
  }
}

TEST(BuildLayers, OutlinesGrowWithTheText) {
  const auto outlineAt = [](float text) {
    SceneModel model = productScene(8, 8, 8, 4);
    model.panels[0].highlights = {{{0, 0, 4, 4}, Mark::now}};
    const Layout layout = arrange(model, {1600, 2000, text});
    const auto shared = std::make_shared<const SceneModel>(model);
    return buildLayers(shared, layout, darkPalette()).marks.items.front().borderPx;
  };
  EXPECT_GT(outlineAt(16), 0);
  EXPECT_FLOAT_EQ(outlineAt(32), 2 * outlineAt(16));
  EXPECT_FLOAT_EQ(outlineAt(12), outlineAt(16));  // Thinner outlines would be invisible.
}

TEST(BuildLayers, AnOverviewHighlightsAreasAndGivesCellsOneColour) {
  SceneModel model = productScene(32, 32, 32, 16);
  model.overview = true;
  model.panels[0].highlights = {{{0, 0, 16, 16}, Mark::now}};
  for (size_t i = 0; i < model.arrays[0].slots.size(); ++i) {
    model.arrays[0].slots[i].written = true;
    model.arrays[0].slots[i].value = float(i) / 256;
  }
  const Layers layers = layersOf(model);
  const Grid& m = layers.layout.panels[0];
  EXPECT_EQ(layers.cells.items.front().box, (Box{m.box.x, m.box.y, 16 * m.cell, 16 * m.cell}));
  EXPECT_GT(layers.cells.items.front().fill.a, 0);
  EXPECT_EQ(layers.cells.items[1].fill, layers.cells.items[200].fill);
  EXPECT_GT(layers.matrices[0].high, model.panels[0].high);
}

TEST(BuildLayers, ASampleHasADotForEachLoad) {
  SceneModel model = productScene(32, 32, 32, 16);
  const size_t before = layersOf(model).cells.items.size();
  model.sample = Sample{"4 of 256 threads", "a dot: a load", true, 2, 32, {32, 32, 2, 0}};
  EXPECT_EQ(layersOf(model).cells.items.size(), before + 4 + 66);
}

TEST(BuildLayers, OtherThreadsFadeWhileOneIsFollowed) {
  SceneModel model = productScene(8, 8, 8, 4);
  model.isolated = true;
  for (Slot& slot : model.arrays[0].slots) slot.written = true;
  model.arrays[0].slots[5].followed = true;
  const Layers layers = layersOf(model);
  const Color full = valueColor(0.5F);
  EXPECT_EQ(layers.cells.items[5].fill, full);
  EXPECT_NE(layers.cells.items[4].fill, full);
  model.panels[0].highlights = {{{0, 0, 4, 4}, Mark::now}, {{2, 0, 1, 8}, Mark::followed}};
  EXPECT_EQ(layersOf(model).matrices[0].focus, (std::vector<CellRect>{{2, 0, 1, 8}}));
}

}  // namespace tilestep::gfx::layers_test
