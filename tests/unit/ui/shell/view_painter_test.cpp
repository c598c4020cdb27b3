// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/saving/view_painter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "base/files.h"
#include "gfx/drawing/frame_drawing.h"
#include "model/export/table.h"
#include "support/results.h"
#include "ui/shell/saving/view_words.h"
#include "unit/ui/null_window.h"

namespace tilestep::ui::view_painter_test {

class ViewPainterTest : public NullWindow {
 protected:
  void SetUp() override {
    connect();
    draw();
    now = session->snapshot();
  }
  ViewShapes shapesOf(const std::string& view, bool print = false) {
    Result<ViewShapes> shapes = painter.shapes({*now, *session, ui, view, print, "2026-01-02", ""});
    EXPECT_TRUE(shapes);
    return shapes ? std::move(*shapes) : ViewShapes();
  }
  static std::string textOf(const ViewShapes& picture) {
    std::string text;
    for (const gfx::Shape& shape : picture.drawing.shapes)
      if (const auto* piece = std::get_if<gfx::TextShape>(&shape.what)) text += piece->text + "\n";
    return text;
  }

  /// A limit that ends only a failing test.
  static constexpr std::chrono::minutes kLimit{5};

  ViewPainter painter{{}, 1, nullptr, kLimit};
  std::shared_ptr<const model::Snapshot> now;
};

TEST_F(ViewPainterTest, APictureNamesItsContentAndTheOriginOfItsNumbers) {
  const ViewShapes picture = shapesOf("scene");
  EXPECT_EQ(picture.box, (gfx::Box{0, 0, 1600, 900}));
  const std::string text = textOf(picture);
  for (const std::string& part : {titleOfView("scene", *now), provenanceOf(*now),
                                  std::string("2026-01-02"), std::string("Pvalue")})
    EXPECT_TRUE(has(text, part)) << part << " is missing in\n";
  EXPECT_TRUE(has(titleOfView("scene", *now), "m = n = k = "));
}

TEST_F(ViewPainterTest, PicturesAreNotCutAndHaveNoButtons) {
  for (const model::TableKind& kind : now->tables) {
    const ViewRequest request{*now, *session, ui, std::string(kind.id), false, "2026-01-02"};
    if (!painter.canDraw(request)) continue;
    const ViewShapes picture = shapesOf(std::string(kind.id));
    EXPECT_EQ(picture.lacks, "") << kind.id;
    const std::string text = textOf(picture);
    EXPECT_TRUE(has(text, "2026-01-02")) << kind.id;
    for (const char* button :
         {"whole grid", "pin this run", "assume registers", "back to the scene", "save…",
          "remove ·", "Pause", "Run again", "Closer", "U: "})
      EXPECT_FALSE(has(text, button)) << kind.id << " has " << button;
    for (const gfx::Shape& shape : picture.drawing.shapes) {
      const gfx::Box bounds = gfx::boundsOf(shape);
      if (!std::holds_alternative<gfx::TextShape>(shape.what)) continue;
      EXPECT_LE(bounds.x + bounds.width, picture.box.width) << kind.id;
      EXPECT_LE(bounds.y + bounds.height, picture.box.height) << kind.id;
    }
  }
}

TEST_F(ViewPainterTest, ALongListIsShownCompletely) {
  for (const char* view : {"source", "threads", "traffic"}) {
    const model::Table table = model::tableOf(view, *now);
    ASSERT_GT(table.rows.size(), 1U) << view;
    const std::string& last = table.rows.back().front();
    const ViewShapes picture = shapesOf(view);
    const auto shows = [&](const gfx::Shape& shape) {
      const auto* text = std::get_if<gfx::TextShape>(&shape.what);
      return text != nullptr && text->text == last &&
             text->box.y + 0.9F * text->box.height <= shape.clip.y + shape.clip.height;
    };
    EXPECT_TRUE(std::ranges::any_of(picture.drawing.shapes, shows))
        << view << " lacks \"" << last << "\" in\n"
        << textOf(picture);
  }
}

TEST_F(ViewPainterTest, AViewThatIsTooLargeIsCutAndReported) {
  std::string lesson = "# A\n## one\n";
  for (int i = 1; i <= 400; ++i) lesson += "Paragraph " + std::to_string(i) + ".\n\n";
  const std::string file = testing::TempDir() + "/long.md";
  ASSERT_TRUE(writeFileAtomically(file, lesson));
  session->apply(model::command("lessons.open", file));
  draw();
  now = session->snapshot();
  const ViewShapes picture = shapesOf("scene");
  EXPECT_EQ(picture.box.height, kMostOfPicture);
  EXPECT_FALSE(has(textOf(picture), "Paragraph 400."));
  EXPECT_EQ(picture.lacks, *lacksOf({.below = true}));
}

TEST_F(ViewPainterTest, PicturesWaitForValuesOfLargeMatrices) {
  session->apply(model::command("choice.scene_size", "m", 4096));
  const auto isLarge = [&] {
    now = session->snapshot();
    return now->main && now->main->side->result->plan.sizes.at("k") == 4096 && !now->busy.scene;
  };
  const auto end = std::chrono::steady_clock::now() + kLimit;
  while (!isLarge() && std::chrono::steady_clock::now() < end) {
    session->poll(NullWindow::now += 0.05);
    log->answerRuns();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_TRUE(isLarge());
  const ViewShapes picture = shapesOf("scene");
  EXPECT_EQ(picture.lacks, "");
  const auto hasImage = [](const gfx::Shape& shape) {
    return std::holds_alternative<gfx::ImageShape>(shape.what);
  };
  EXPECT_TRUE(std::ranges::any_of(picture.drawing.shapes, hasImage));
}

TEST_F(ViewPainterTest, PrintedPicturesAreDarkOnWhite) {
  ui.theme = Theme::dark;
  EXPECT_EQ(shapesOf("scene").background, gfx::darkPalette().background);
  const ViewShapes paper = shapesOf("scene", true);
  EXPECT_EQ(paper.background, gfx::rgb(0xFFFFFF));
  const std::string title = titleOfView("scene", *now);
  const auto isTitle = [&](const gfx::Shape& shape) {
    const auto* text = std::get_if<gfx::TextShape>(&shape.what);
    return text != nullptr && text->text == title && text->color == gfx::printPalette().text;
  };
  EXPECT_TRUE(std::ranges::any_of(paper.drawing.shapes, isTitle));
}

TEST_F(ViewPainterTest, TermsAreUnderlinedInTheWindowButNotInPictures) {
  const std::string file = testing::TempDir() + "/terms.md";
  ASSERT_TRUE(writeFileAtomically(file, "# A\n## one\nA warp waits at a barrier.\n"));
  session->apply(model::command("lessons.open", file));
  draw();
  now = session->snapshot();
  // An underline is a row of such dots.
  const auto dotsOf = [](const gfx::Drawing& drawing) {
    return std::ranges::count_if(drawing.shapes, [](const gfx::Shape& shape) {
      const gfx::Box box = gfx::boundsOf(shape);
      return std::holds_alternative<gfx::PolygonShape>(shape.what) && box.height < 1.5F &&
             box.width < 5;
    });
  };
  EXPECT_GT(dotsOf(gfx::drawingOf(*ImGui::GetDrawData(), interface.scenes())), 4);
  const ViewShapes picture = shapesOf("threads");
  EXPECT_TRUE(has(textOf(picture), "A warp waits"));
  EXPECT_EQ(dotsOf(picture.drawing), 0);
}

TEST_F(ViewPainterTest, TheWindowsStateDoesNotChange) {
  ui.stage = Stage::scene;
  ui.warpView = true;
  ui.cameraMoved = true;
  (void)shapesOf("roofline");
  EXPECT_EQ(ui.stage, Stage::scene);
  EXPECT_TRUE(ui.warpView);
  EXPECT_TRUE(ui.cameraMoved);
}

TEST_F(ViewPainterTest, AnInvisibleViewHasNoPicture) {
  const auto canDraw = [&](const char* view) {
    return painter.canDraw({*now, *session, ui, view, false, ""});
  };
  EXPECT_FALSE(canDraw("phases")) << "the table of phases is made only while it is shown";
  EXPECT_FALSE(canDraw("steps"));
  EXPECT_TRUE(canDraw("scene"));
}

}  // namespace tilestep::ui::view_painter_test
