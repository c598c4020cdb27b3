// SPDX-License-Identifier: Apache-2.0
#include "grade/class_page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "base/files.h"
#include "grade/class_charts.h"
#include "grade/class_file.h"
#include "grade/reports.h"
#include "grade/student_pages.h"
#include "support/html_page.h"
#include "support/results.h"
#include "support/service.h"

namespace tilestep::grade::class_page_test {

RunFacts facts() {
  RunFacts run;
  run.seed = 987654321;
  run.rules = "0123456789abcdef";
  run.version = "1.0";
  run.assignment = "Tiles & <more>";
  return run;
}

Grade handIn(const std::string& id, Verdict verdict, double marks,
             std::vector<Trouble> troubles = {}) {
  Grade one;
  one.id = id;
  one.file = id + ".cu";
  one.hash = "hash of " + id;
  one.verdict = verdict;
  one.rows = {{"result", marks, 6, ""}};
  one.troubles = std::move(troubles);
  return one;
}

/// Ids start at 1000: 80 are right, 61 have no guard, 59 do not compile.
std::vector<Grade> largeClass() {
  std::vector<Grade> grades;
  for (int i = 0; i < 200; ++i) {
    const std::string id = std::to_string(1199 - i);
    if (i < 80)
      grades.push_back(handIn(id, Verdict::right, 6));
    else if (i < 141)
      grades.push_back(handIn(id, Verdict::wrong, i % 6, {{"guard", {}, 0}}));
    else
      grades.push_back(handIn(id, Verdict::refused, 0,
                              {{"not-compiled", "no 'x" + std::to_string(i) + "'", 0}}));
  }
  return grades;
}

/// The parsed page.
support::HtmlPage pageOf(const std::vector<Grade>& grades) {
  const support::HtmlPage page = support::readHtml(toClassPage(grades, facts()));
  EXPECT_EQ(page.problem, "");
  // Links lead only to students' pages.
  const std::regex link("<a href=\"[A-Za-z0-9_-]+\\.html\">");
  for (const std::string& danger : page.dangers())
    EXPECT_TRUE(std::regex_match(danger, link)) << danger;
  EXPECT_TRUE(page.named("script").empty());
  return page;
}

bool says(const support::HtmlPage& page, const std::string& text) {
  std::string words = page.text;
  std::ranges::replace(words, '\n', ' ');
  return words.find(text) != std::string::npos;
}

TEST(ClassPage, SumsUpALargeClass) {
  const support::HtmlPage page = pageOf(largeClass());
  for (const char* text : {"200 hand-ins graded", "80 right", "61 wrong", "59 refused", "0 failed",
                           "61 of 200 have no guard", "59 of 200 do not compile: no '…'",
                           "Open one of them: 1059", "Half of the hand-ins have"})
    EXPECT_TRUE(says(page, text)) << text;
  EXPECT_EQ(page.named("tr").size(), 201U);
  // The largest group comes first.
  EXPECT_LT(page.text.find("61 of 200"), page.text.find("59 of 200"));
  // Each hand-in is linked from its row, and those of groups from the group as well.
  EXPECT_EQ(page.with("href", "1199.html").size(), 1U);
  EXPECT_EQ(page.with("href", "1100.html").size(), 2U);
  EXPECT_EQ(page.with("href", "#g1").size(), 61U);
  EXPECT_EQ(page.with("id", "g1").size(), 1U);
}

TEST(ClassPage, ListsHandInsById) {
  const support::HtmlPage page = pageOf(largeClass());
  std::vector<std::string> rows;
  bool inTable = false;
  for (const support::HtmlElement& element : page.elements) {
    inTable = inTable || element.name == "tbody";
    const auto href = element.attributes.find("href");
    if (inTable && href != element.attributes.end() && href->second[0] != '#')
      rows.push_back(href->second);
  }
  EXPECT_EQ(rows.size(), 200U);
  EXPECT_TRUE(std::ranges::is_sorted(rows));
}

TEST(ClassPage, HoldsNoSeedAndDoesNotDependOnTheOrderOfGrades) {
  std::vector<Grade> grades = largeClass();
  const std::string page = toClassPage(grades, facts());
  std::ranges::reverse(grades);
  EXPECT_EQ(toClassPage(grades, facts()), page);
  for (const char* hidden : {"987654321", "0123456789abcdef"})
    EXPECT_FALSE(has(page, hidden)) << hidden;
  EXPECT_NE(pageName("index"), kClassPage);
  EXPECT_TRUE(isAnyPage(toClassPage({}, facts())));
}

TEST(ClassPage, EmptyAndSmallClassesHaveAPage) {
  const support::HtmlPage page = pageOf({});
  EXPECT_TRUE(says(page, "Nothing is graded yet"));
  EXPECT_TRUE(page.named("table").empty());
  EXPECT_TRUE(page.named("svg").empty());
  const support::HtmlPage one = pageOf({handIn("ada", Verdict::wrong, 2, {{"guard", {}, 0}})});
  for (const char* text : {"1 hand-in graded", "Found in one hand-in alone", "ada has no guard."})
    EXPECT_TRUE(says(one, text)) << text;
  const support::HtmlPage right =
      pageOf({handIn("ada", Verdict::right, 6), handIn("alan", Verdict::right, 6)});
  EXPECT_TRUE(says(right, "Nothing was found in any of them."));
  EXPECT_TRUE(right.named("section").empty());
  EXPECT_TRUE(says(right, "Half of the hand-ins have 6 or more of 6 marks."));
}

TEST(ClassPage, NamesEqualFilesAndHandInsWithoutMarks) {
  Grade ada = handIn("ada", Verdict::right, 6), alan = ada;
  alan.id = "alan";
  Grade open =
      handIn("grace", Verdict::unjudged, 0, {{"unjudged", "line 3: It is a template.", 0}});
  open.rows.front().marks.reset();
  Grade byHand = open;
  byHand.id = "tim";
  byHand.byHand = 4.5;
  Grade unknown = handIn("zoe", Verdict::wrong, 1);
  unknown.troubles.reset();
  const support::HtmlPage page = pageOf({ada, alan, open, byHand, unknown});
  for (const char* text :
       {"2 files are equal: ada, alan", "1 has no complete marks and needs your marks: grace",
        "2 of 5 could not be judged: It is a template.", "by hand 4.5", "1 has no marks yet",
        "The troubles of 1 hand-in are not known"})
    EXPECT_TRUE(says(page, text)) << text;
}

TEST(ClassPage, TextOfFilesIsEscaped) {
  const std::string evil = "<img src=x onerror=alert(1)>\"'";
  Grade one = handIn(evil, Verdict::refused, 0, {{"not-compiled", "</h3><script>alert(1)//", 0}});
  Grade two = one;
  two.id = "x\"><b>";
  RunFacts odd = facts();
  odd.assignment = "</title><script>";
  const std::string page = toClassPage({one, two}, odd);
  for (const char* markup : {"<img", "<script", "<b>", "onerror=alert(1)>\""})
    EXPECT_FALSE(has(page, markup)) << markup;
  EXPECT_EQ(support::readHtml(page).problem, "");
}

TEST(ClassCharts, TheLastBarCountsFullMarks) {
  const MarksHistogram histogram = histogramOf({0, 0.5, 1, 2.999, 5.5, 6, 6, 7}, 6);
  EXPECT_EQ(histogram.step, 1);
  EXPECT_EQ(histogram.bars, (std::vector<size_t>{2, 1, 1, 0, 0, 1, 3}));
  // A sum of tenths is not exact.
  EXPECT_EQ(histogramOf({0.1 + 0.2}, 0.3).bars.back(), 1U);
  EXPECT_EQ(histogramOf({0.7 + 0.1 + 0.2}, 6).bars[1], 1U);
  EXPECT_TRUE(histogramOf({0, 3, 6}, 6).isExact);
  for (const double odd : {0.5, 7.0}) EXPECT_FALSE(histogramOf({0, odd}, 6).isExact);
  EXPECT_FALSE(histogramOf({0, 20}, 20).isExact) << "a bar counts two numbers";
}

TEST(ClassCharts, HistogramsHaveAtLeastThreeTicksAndFewBars) {
  for (const double of :
       {0.1, 0.5, 1.0, 2.0, 2.5, 3.0, 6.0, 7.5, 10.0, 12.0, 13.0, 37.0, 100.0, 1e6}) {
    const MarksHistogram histogram = histogramOf({of, of / 2, 0}, of);
    EXPECT_GE(histogram.bars.size(), 3U) << of;
    EXPECT_LE(histogram.bars.size(), 13U) << of;
    EXPECT_LT(static_cast<double>(histogram.bars.size() - 2) * histogram.step, of);
    const support::HtmlPage svg = support::readHtml(toSvg(histogram));
    EXPECT_EQ(svg.problem, "");
    EXPECT_GE(svg.named("line").size(), 3U) << of;
    EXPECT_LE(svg.named("line").size(), 7U) << of;
  }
}

TEST(ClassCharts, TheBarIsAsLongAsItsParts) {
  EXPECT_EQ(verdictBar({}), "");
  const support::HtmlPage bar = support::readHtml(verdictBar({3, 1, 0, 0, 0}));
  EXPECT_EQ(bar.named("rect").size(), 2U);
  EXPECT_EQ(bar.named("svg").front().attributes.at("aria-label"), "3 right, 1 wrong");
}

TEST(ClassFile, KeepsTroubles) {
  Grade ada = handIn("ada \xff", Verdict::wrong, 2, {{"guard", {}, 0}, {"count", "barriers", 2.5}});
  ada.hash = "00000000000000aa";
  const std::string text = toClassJson({ada, handIn("alan", Verdict::right, 6)}, facts());
  EXPECT_TRUE(isClassJson(text));
  const FoundBefore found(text, "1.0");
  EXPECT_EQ(found.of(ada), ada.troubles);
  EXPECT_TRUE(found.of(handIn("alan", Verdict::right, 6))->empty());
  EXPECT_FALSE(found.of(handIn("zoe", Verdict::right, 6)).has_value());
  for (const Grade& other : {handIn("alan", Verdict::wrong, 6), handIn("alan", Verdict::right, 5)})
    EXPECT_FALSE(found.of(other).has_value());
  Grade changed = ada;
  changed.hash = "another";
  EXPECT_FALSE(found.of(changed).has_value());
  EXPECT_FALSE(FoundBefore(text, "1.1").of(ada).has_value()) << "another version";
}

TEST(ClassFile, InvalidFilesHoldNothing) {
  const std::string deep(100'000, '[');
  for (const std::string& text :
       {std::string(), std::string("{}"), std::string("[1]"), deep, "{\"hand_ins\":" + deep,
        std::string(R"({"hand_ins": 3, "groups": [], "version": "1.0"})")}) {
    EXPECT_FALSE(isClassJson(text));
    EXPECT_FALSE(FoundBefore(text, "1.0").of(handIn("ada", Verdict::right, 6)).has_value());
  }
  const std::string odd = R"({"hand_ins": [3, {"page": "ada.html", "hash": "hash of ada",
      "verdict": "right", "marks": 6, "found": [{"kind": "nonsense"}]}], "groups": [],
      "version": "1.0"})";
  EXPECT_TRUE(isClassJson(odd));
  EXPECT_FALSE(FoundBefore(odd, "1.0").of(handIn("ada", Verdict::right, 6)).has_value());
}

TEST(StudentPages, TheClassPageReplacesNoOtherFile) {
  const support::TemporaryFolder folder{"class_page"};
  const std::string path = folder.path("pages");
  const Result<StudentPages> pages = StudentPages::in(path, {});
  ASSERT_TRUE(pages.ok());
  const std::vector<Grade> grades{handIn("ada", Verdict::wrong, 2, {{"guard", {}, 0}})};
  for (int times = 0; times < 2; ++times) {
    EXPECT_TRUE(pages->writeClass(grades, facts()).ok());
    EXPECT_TRUE(pages->writeFound(grades, facts()).ok());
  }
  EXPECT_EQ(*readTextFile(path + "/index.html"), toClassPage(grades, facts()));
  EXPECT_EQ(pages->foundBefore("1.0").of(grades.front()), grades.front().troubles);
  for (const char* name : {"pages/index.html", "pages/class.json"}) folder.write(name, "mine");
  EXPECT_FALSE(pages->writeClass(grades, facts()).ok());
  EXPECT_FALSE(pages->writeFound(grades, facts()).ok());
  EXPECT_EQ(*readTextFile(path + "/index.html"), "mine");
  EXPECT_EQ(*readTextFile(path + "/class.json"), "mine");
}

TEST(StudentPages, AHandInWithoutKnownTroublesIsGradedAgain) {
  const support::TemporaryFolder folder{"class_page"};
  const Result<StudentPages> pages = StudentPages::in(folder.path("pages"), {});
  ASSERT_TRUE(pages.ok());
  Grade ada = handIn("ada", Verdict::right, 6);
  ASSERT_TRUE(pages->write(ada, facts()).ok());
  EXPECT_FALSE(pages->lacks(ada, facts()));
  ada.troubles.reset();
  EXPECT_TRUE(pages->lacks(ada, facts()));
  EXPECT_FALSE(StudentPages().lacks(ada, facts()));
}

}  // namespace tilestep::grade::class_page_test
