// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "gfx/labels/label_places.h"
#include "gfx/labels/label_text.h"
#include "gfx/layers.h"
#include "unit/gfx/sample_scene.h"

namespace tilestep::gfx::labels_test {

std::vector<Label> labelsAt(const SceneModel& model, float width, float height,
                            const Camera& camera = {}) {
  const Layers layers = buildLayers(std::make_shared<SceneModel>(model),
                                    arrange(model, {width, height, 16}), darkPalette());
  return labelsOf(layers, camera, width, height);
}

bool has(const std::vector<Label>& labels, const std::string& text) {
  return std::any_of(labels.begin(), labels.end(), [&](const Label& l) { return l.text == text; });
}

TEST(Labels, NamesAndDimensionsAreAlwaysThere) {
  for (const uint32_t size : {1U, 8U, 100U, 4096U}) {
    const auto labels = labelsAt(productScene(size, size, size, 1), 500, 600);
    for (const char* name : {"M", "N", "P", "Mds", "Nds", "Pvalue", "matmul_tiled"})
      EXPECT_TRUE(has(labels, name)) << name << " at " << size;
    EXPECT_TRUE(has(labels, dimensions(size, size)));
  }
}

TEST(Labels, LargeCellsShowElementNames) {
  SceneModel model = productScene(8, 8, 8, 4);
  EXPECT_FALSE(has(labelsAt(model, 800, 1000), "M[2,5]"));
  Camera camera;
  camera.fitTo(arrange(model, {800, 1000, 16}).panels[0].box, 800, 1000);
  const auto labels = labelsAt(model, 800, 1000, camera);
  EXPECT_TRUE(has(labels, "M[2,5]"));
  EXPECT_FALSE(has(labels, "N[7,7]")) << "outside the viewport";
}

TEST(Labels, SlotsNameTheOriginOfTheirElement) {
  SceneModel model = productScene(8, 8, 8, 4);
  model.arrays[0].slots[1] = {.value = 0.5F, .written = true, .origin = "M[0,5]"};
  const auto labels = labelsAt(model, 1000, 1250);
  EXPECT_TRUE(has(labels, "M[0,5]"));
  EXPECT_TRUE(has(labels, "0.50"));
  EXPECT_TRUE(has(labels, "Mds[0][0]")) << "an empty slot shows its own name";
}

TEST(Labels, ReadersAreCounted) {
  SceneModel model = productScene(8, 8, 8, 4);
  for (uint32_t i = 0; i < 4; ++i) model.panels[0].cells.push_back({i, 5, Mark::now, 4});
  const auto timesIn = [&](float width, float height, const std::string& text) {
    const auto labels = labelsAt(model, width, height);
    return std::ranges::count(labels, text, &Label::text);
  };
  EXPECT_EQ(timesIn(1600, 1600, "4×"), 1) << "equal counts are shown once, in the header";
  EXPECT_EQ(timesIn(300, 380, "4×"), 1);
  model.panels[0].cells.back().loads = 2;
  EXPECT_EQ(timesIn(1600, 1600, "4×"), 3) << "unequal counts are shown at each element";
  EXPECT_EQ(timesIn(1600, 1600, "2×"), 1);
  EXPECT_EQ(timesIn(300, 380, "4×"), 0) << "no space";
}

TEST(Labels, HugeMatricesHaveFewLabels) {
  EXPECT_LT(labelsAt(productScene(4096, 4096, 4096, 32), 800, 1000).size(), 400U);
}

/// The part of a placed label that its letters fill, which is less than the height of a line.
Box lettersOf(const PlacedLabel& placed) {
  const Box& box = placed.box;
  return {box.x, box.y + 0.2F * box.height, box.width, 0.6F * box.height};
}

float shared(const Box& a, const Box& b) {
  const float x = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x);
  const float y = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
  return std::max(x, 0.0F) * std::max(y, 0.0F);
}

/// Measures text in a font in which every character is `em` times its size wide.
MeasureText wide(float em) {
  return [em](const Label&, const std::string& text, float height) {
    return em * height * static_cast<float>(characters(text));
  };
}

TEST(LabelPlaces, LabelsNeverOverlapInAnyFont) {
  SceneModel model = productScene(8, 8, 8, 4);
  model.caption = "what the caption says of it";
  for (MatrixPanel& panel : model.panels) panel.note = "a note";
  for (uint32_t i = 0; i < 4; ++i) model.panels[0].cells.push_back({i, 5, Mark::now, 4});
  model.arrays[0].slots[1] = {.value = 0.5F, .written = true, .origin = "M[0,5]"};
  for (const float em : {0.4F, 0.58F, 0.8F, 1.2F, 3.0F})
    for (const float width : {260.0F, 500.0F, 900.0F}) {
      const std::vector<Label> labels = labelsAt(model, width, 1.1F * width);
      const auto placed = placeLabels(labels, width, wide(em));
      for (size_t i = 0; i < placed.size(); ++i)
        for (size_t j = 0; j < i; ++j) {
          if (placed[j].label->plate.a > 0 || placed[i].label->plate.a > 0) continue;
          const Box a = lettersOf(placed[i]), b = lettersOf(placed[j]);
          EXPECT_LE(shared(a, b), 0.25F * std::min(a.width * a.height, b.width * b.height))
              << *placed[i].text << " overlaps " << *placed[j].text << ": " << em << " em, "
              << width;
        }
    }
}

TEST(LabelPlaces, NoLabelIsOmittedIfWidthEstimatesAreExact) {
  const auto labels = labelsAt(productScene(8, 8, 8, 4), 900, 1000);
  EXPECT_EQ(placeLabels(labels, 900, wide(0.58F)).size(), labels.size());
}

TEST(LabelPlaces, AWideTextBecomesShorterOrSmaller) {
  Label name{.text = "M", .at = {10, 20}, .heightPx = 20, .align = Label::Align::left};
  name.kind = Label::Kind::header;
  name.maxWidthPx = 15;
  Label note{.text = "8 × 8 · of floats", .shorter = "8 × 8", .heightPx = 10};
  note.kind = Label::Kind::note;
  note.follows = true;
  note.maxWidthPx = 60;
  const std::vector<Label> labels{name, note};
  const auto placed = placeLabels(labels, 400, wide(0.5F));
  ASSERT_EQ(placed.size(), 2U);
  EXPECT_EQ(*placed[1].text, "8 × 8");
  EXPECT_FLOAT_EQ(placed[1].box.x, 10 + 10 + 5) << "at a distance of half its size from the name";
  const auto wider = placeLabels(labels, 400, wide(1));
  ASSERT_EQ(wider.size(), 2U);
  EXPECT_EQ(wider[0].heightPx, 15) << "the name is smaller";
  EXPECT_EQ(wider[1].heightPx, 8) << "so is the shorter note";
  EXPECT_TRUE(placeLabels(labels, 400, wide(4)).empty()) << "nothing is shown unreadably small";
}

TEST(LabelPlaces, ANoteFollowsANameWithAPlate) {
  Label name{.text = "Pvalue", .at = {10, 20}, .heightPx = 12, .align = Label::Align::left};
  name.kind = Label::Kind::header;
  name.plate = {0, 0, 0, 1};
  Label note{.text = "16 × 16 · registers", .heightPx = 10};
  note.kind = Label::Kind::note;
  note.follows = true;
  const std::vector<Label> labels{name, note};
  EXPECT_EQ(placeLabels(labels, 400, wide(0.5F)).size(), 2U);
}

TEST(LabelPlaces, AnIndexGivesWayToAName) {
  Label index{.text = "7", .at = {50, 20}, .heightPx = 10};
  index.kind = Label::Kind::index;
  Label name{.text = "Pvalue", .at = {40, 20}, .heightPx = 16, .align = Label::Align::left};
  name.kind = Label::Kind::header;
  const std::vector<Label> labels{index, name};
  const auto placed = placeLabels(labels, 400, wide(0.5F));
  ASSERT_EQ(placed.size(), 1U);
  EXPECT_EQ(*placed[0].text, "Pvalue");
}

TEST(LabelText, NumbersAreShortAndHonest) {
  EXPECT_EQ(shortText(0.534F), "0.53");
  EXPECT_EQ(shortText(-0.001F), "0.00");
  EXPECT_EQ(shortText(12.34F), "12.3");
  EXPECT_EQ(shortText(1036.4F), "1036");
  EXPECT_EQ(shortText(7), "7");
  EXPECT_EQ(shorterText(-0.04F), "0.0");
  EXPECT_EQ(shorterText(-1.26F), "-1.3");
  EXPECT_EQ(exactText(0.1F), "0.100000001");
  EXPECT_EQ(shortText(std::numeric_limits<float>::quiet_NaN()), "");
}

TEST(LabelText, WrapsAtSpacesAndCountsCharacters) {
  EXPECT_EQ(characters("4 \u00d7 4"), 5U);
  EXPECT_EQ(wrapped("each thread asks", 10, 40),
            (std::vector<std::string>{"each", "thread", "asks"}));
  EXPECT_EQ(wrapped("each thread asks", 10, 400).size(), 1U);
}

}  // namespace tilestep::gfx::labels_test
