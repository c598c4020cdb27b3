// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/highlight.h"

#include <gtest/gtest.h>

#include <cctype>
#include <string>

#include "features/registry.h"
#include "features/source/panel.h"
#include "support/source_root.h"
#include "ui/kit/panels.h"
#include "ui/shell/appearances.h"
#include "ui/shell/keys.h"
#include "ui/shell/layout.h"

namespace tilestep::ui::highlight_test {

TEST(Highlight, SplitsACudaLineIntoTokens) {
  const std::vector<SourceLine> lines = highlight("__shared__ float a[4]; // tile");
  ASSERT_EQ(lines.size(), 1U);
  const SourceLine& line = lines[0];
  EXPECT_EQ(line[0].kind, TokenKind::qualifier);
  EXPECT_EQ(line[0].text, "__shared__");
  EXPECT_EQ(line[2].kind, TokenKind::keyword);
  EXPECT_EQ(line.back().kind, TokenKind::comment);
  EXPECT_EQ(line.back().text, "// tile");
}

TEST(Highlight, BlockCommentsSpanLines) {
  const std::vector<SourceLine> lines = highlight("/*--- a\nb ---*/ int c;\n");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0][0].kind, TokenKind::comment);
  EXPECT_EQ(lines[1][0].kind, TokenKind::comment);
  EXPECT_EQ(lines[1][2].kind, TokenKind::keyword);
}

TEST(Highlight, KeepsEveryCharacterButTabsAndReturns) {
  std::string text;
  const std::vector<SourceLine> lines = highlight("\tx = \"a\\\"b\" + 'c' + 0x1f;\r\n");
  ASSERT_EQ(lines.size(), 1U);
  for (const Token& token : lines[0]) text += token.text;
  EXPECT_EQ(text, "    x = \"a\\\"b\" + 'c' + 0x1f;");
  EXPECT_TRUE(highlight("").empty());
  EXPECT_EQ(highlight("\"open").size(), 1U);
}

std::string textOf(const SourceLine& line) {
  std::string text;
  for (const Token& token : line) text += token.text;
  return text;
}

TEST(Highlight, ALongLineIsCutBetweenTwoWords) {
  const SourceLine line = highlight("    Mds[ty][tx] = M[row * k + column]; // the tile").front();
  const std::string whole = "Mds[ty][tx] = M[row * k + column]; // the tile";
  EXPECT_EQ(textOf(cutBetweenWords(line, 4, whole.size())), whole);
  EXPECT_EQ(textOf(cutBetweenWords(line, 4, whole.size() - 1)),
            "Mds[ty][tx] = M[row * k + column]; // the…");
  for (size_t room = 1; room < whole.size(); ++room) {
    const std::string cut = textOf(cutBetweenWords(line, 4, room));
    ASSERT_TRUE(cut.ends_with("…")) << room;
    const std::string kept = cut.substr(0, cut.size() - std::string("…").size());
    EXPECT_LT(kept.size(), room);
    ASSERT_TRUE(whole.starts_with(kept)) << cut;
    const auto isLetter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    const bool inWord = !kept.empty() && isLetter(kept.back()) && isLetter(whole[kept.size()]);
    EXPECT_FALSE(inWord) << cut;
  }
}

TEST(Layout, APresentationShowsTheRunningLinesBelowTheScene) {
  UiState ui;
  togglePresentation(ui);
  for (const auto& [width, height] :
       {std::pair{1024.0F, 640.0F}, {1024.0F, 768.0F}, {1920.0F, 1080.0F}, {3840.0F, 2160.0F}}) {
    const float em = 16 * typeFor(ui, width, height, 1).scale;
    const PanelLayout l = layOut(ui, width, height, em);
    EXPECT_GE(l.code.height, 2 * features::RunningLines::kLineHeight * em)
        << width << " x " << height;
    EXPECT_GT(l.code.y, l.stage.y + l.stage.height);
    EXPECT_LE(l.code.y + l.code.height, l.transport.y);
    EXPECT_GT(l.measures.width, 0) << width << " x " << height;
  }
  ui.stage = Stage::roofline;
  EXPECT_EQ(layOut(ui, 1920, 1080, 30).code, gfx::Box{});
  togglePresentation(ui);
  ui.stage = Stage::scene;
  EXPECT_EQ(layOut(ui, 1920, 1080, 16).code, gfx::Box{});
}

TEST(Layout, APresentedLessonIsBesideTheStage) {
  UiState ui;
  togglePresentation(ui);
  for (const auto& [width, height] : {std::pair{1024.0F, 768.0F}, {1920.0F, 1080.0F}}) {
    SCOPED_TRACE(width);
    const float em = 16 * typeFor(ui, width, height, 1).scale, notice = 4 * em;
    ui.lessonHeight = 10 * em;
    ui.sourceServes = false;
    const PanelLayout brief = layOut(ui, width, height, em, {3, notice});
    EXPECT_LE(brief.lesson.x + brief.lesson.width, brief.stage.x);
    EXPECT_GE(brief.stage.width, 0.6F * width);
    EXPECT_GT(brief.code.y, brief.stage.y + brief.stage.height);
    EXPECT_EQ(brief.notice.x, brief.lesson.x) << "the text leaves space for it";
    ui.lessonHeight = height;
    const PanelLayout full = layOut(ui, width, height, em, {3, notice});
    EXPECT_EQ(full.notice.x, full.stage.x) << "the text takes precedence";
    EXPECT_GT(full.notice.y, full.stage.y + full.stage.height);
    EXPECT_LE(full.notice.y + full.notice.height, full.code.y);
    ui.sourceServes = true;
    const PanelLayout source = layOut(ui, width, height, em);
    EXPECT_EQ(source.source.width, source.stage.width);
    EXPECT_GT(source.source.y, source.stage.y + source.stage.height);
    EXPECT_EQ(source.code, gfx::Box{}) << "the source shows the running lines";
  }
}

TEST(Layout, ANoticeTakesSpaceOnlyFromTheStage) {
  UiState ui;
  togglePresentation(ui);
  for (const auto& [width, height] :
       {std::pair{1024.0F, 640.0F}, {1366.0F, 768.0F}, {1920.0F, 1080.0F}})
    for (const Stage stage : {Stage::scene, Stage::roofline}) {
      ui.stage = stage;
      const float em = 16 * typeFor(ui, width, height, 1).scale;
      const PanelLayout without = layOut(ui, width, height, em);
      EXPECT_EQ(without.notice, gfx::Box{});
      const PanelLayout with = layOut(ui, width, height, em, {3, 4 * em});
      EXPECT_EQ(with.code, without.code);
      EXPECT_EQ(with.measures, without.measures);
      EXPECT_EQ(with.notice.height, 4 * em);
      EXPECT_GT(with.notice.y, with.stage.y + with.stage.height);
      EXPECT_LT(with.notice.y + with.notice.height,
                with.code.height > 0 ? with.code.y : with.transport.y);
    }
  const float em = 16 * typeFor(ui, 1024, 640, 1).scale;
  EXPECT_EQ(layOut(ui, 1024, 640, em, {3, 640}).notice, gfx::Box{}) << "it has no separate area";
}

TEST(Layout, FoldingEnlargesTheScene) {
  UiState ui;
  const PanelLayout open = layOut(ui, 1600, 1000, 16);
  for (PanelWish& panel : ui.panels) panel.wanted = false;
  const PanelLayout folded = layOut(ui, 1600, 1000, 16);
  EXPECT_EQ(folded.controls.width, 0);
  EXPECT_EQ(folded.source.height, 0);
  EXPECT_GT(folded.stage.width, 1.5F * open.stage.width);
  EXPECT_GT(folded.stage.height, open.stage.height);
}

TEST(Layout, UnrequestedPanelsYieldToTheSceneInANarrowWindow) {
  UiState ui;
  const float em = 24;  // A font size for a lecture hall.
  ui.shown = panelsWithRoom(ui, 1280, 720, em);
  EXPECT_TRUE(ui.isShown(Panel::measures));
  EXPECT_FALSE(ui.isShown(Panel::controls));
  EXPECT_FALSE(ui.isShown(Panel::source));
  EXPECT_GE(layOut(ui, 1280, 720, em).stage.width, 29 * em);
  EXPECT_GE(layOut(UiState(), 800, 600, 16).stage.width, 480);
  togglePanel(ui, Panel::controls);
  ui.shown = panelsWithRoom(ui, 1280, 720, em);
  EXPECT_TRUE(ui.isShown(Panel::controls));
  EXPECT_FALSE(ui.isShown(Panel::measures));
  togglePanel(ui, Panel::controls);
  ui.shown = panelsWithRoom(ui, 1280, 720, em);
  EXPECT_FALSE(ui.isShown(Panel::controls));
  EXPECT_TRUE(ui.isShown(Panel::measures));
  togglePanel(ui, Panel::source);
  EXPECT_TRUE(panelsWithRoom(ui, 1280, 720, em)[static_cast<size_t>(Panel::source)]);
  EXPECT_TRUE(panelsWithRoom(UiState(), 1280, 800, 16)[static_cast<size_t>(Panel::controls)]);
}

TEST(Keys, LettersTypedIntoAFieldAreNotShortcuts) {
  model::SessionOptions options;
  options.home = support::sourceRoot();
  model::Session session(options, features::makeFeatures());
  UiState ui;
  handleKeys({{gfx::Key::none, U't'}}, session, ui, true, false);
  EXPECT_EQ(ui.theme, Theme::dark);
}

}  // namespace tilestep::ui::highlight_test
