// SPDX-License-Identifier: Apache-2.0
#include "grade/reports.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/html_page.h"
#include "support/results.h"

namespace tilestep::grade::reports_test {

RunFacts facts() {
  RunFacts run;
  run.seed = 987654321;
  run.rules = "0123456789abcdef";
  run.version = "1.0";
  run.sizes = {"m = 777, n = 888"};
  run.untested = {"Other data."};
  run.assignment = "Tiles & <more>";
  return run;
}

Grade grade(const std::string& id, Verdict verdict) {
  Grade one;
  one.id = id;
  one.file = id + ".cu";
  one.hash = "00000000000000aa";
  one.verdict = verdict;
  one.rows = {{"compiles", 1.0, 1, ""},
              {"result", 0.0, 4, "This failed at 2 of 8 launches."},
              {"global_load_sectors", std::nullopt, 2, "A GPU may count differently."}};
  one.reason = one.forStudent = "The result is wrong.";
  one.place = FailurePlace{"P[0][5]", true, 12, 2, {}};
  return one;
}

TEST(GradeReports, JsonHasTheDocumentedKeys) {
  const auto list = nlohmann::json::parse(toJson({grade("ada", Verdict::wrong)}, facts()));
  ASSERT_EQ(list.size(), 1U);
  const auto& one = list[0];
  EXPECT_EQ(one["id"], "ada");
  EXPECT_EQ(one["verdict"], "wrong");
  EXPECT_EQ(one["marks"]["result"], 0.0);
  EXPECT_TRUE(one["marks"]["global_load_sectors"].is_null());
  EXPECT_EQ(one["sizes"][0], "m = 777, n = 888");
  EXPECT_EQ(one["seed"], 987654321);
  for (const char* key : {"file", "hash", "reason", "counts", "version", "seconds"})
    EXPECT_TRUE(one.contains(key)) << key;
  EXPECT_TRUE(nlohmann::json::accept(toJson({grade("\xff\xfe", Verdict::wrong)}, facts())))
      << "any bytes";
}

TEST(GradeReports, JunitDistinguishesFailureSkipAndError) {
  const std::string xml =
      toJunit({grade("ada", Verdict::wrong), grade("alan", Verdict::failed)}, facts());
  EXPECT_TRUE(has(xml, "<testsuites name=\"Tiles &amp; &lt;more&gt;\">"));
  EXPECT_TRUE(has(xml, "name=\"ada\" tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\""));
  EXPECT_TRUE(has(xml, "name=\"alan\" tests=\"3\" failures=\"0\" errors=\"3\" skipped=\"0\""));
  EXPECT_TRUE(has(xml, "<testcase classname=\"ada\" name=\"compiles\"/>"));
}

TEST(GradeReports, JunitReportsFailedRowsOfNoMarksAndEscapesIds) {
  Grade free = grade("ada", Verdict::wrong);
  free.rows[1].of = 0;
  EXPECT_TRUE(has(toJunit({free}, facts()), "name=\"result\"><failure"));
  const std::string xml =
      toJunit({grade("\"><evil/>\x01\xff\xef\xbf\xbf", Verdict::wrong)}, facts());
  for (const char* part : {"<evil", "\xef\xbf\xbf", "\x01", "\xff"})
    EXPECT_FALSE(has(xml, part)) << part;
}

TEST(GradeReports, TheTableSumsUpAndShowsTheCommandForASingleHandIn) {
  Grade one = grade("ada", Verdict::wrong);
  one.command = "tilestep run ada.cu --spec t.toml";
  EXPECT_TRUE(has(toText({one}, facts()), one.command));
  const std::string text = toText({one, grade("alan", Verdict::right)}, facts());
  EXPECT_FALSE(has(text, one.command));
  EXPECT_TRUE(has(text, "2 graded: 1 right, 1 wrong\n"));
  EXPECT_TRUE(has(text, "Other data."));
}

TEST(GradeReports, AStudentsPageShowsTheFailureAndNoHiddenData) {
  const std::string page = toHtml(grade("ada", Verdict::wrong), facts());
  for (const char* told : {"P[0][5]", "line 12", "after 2 barriers", "0 of 4", "not judged",
                           "Other data.", "Tiles &amp; &lt;more&gt;", "not complete"})
    EXPECT_TRUE(has(page, told)) << told;
  for (const char* hidden : {"777", "888", "987654321", "0123456789abcdef"})
    EXPECT_FALSE(has(page, hidden)) << hidden;
  EXPECT_FALSE(has(page, "<script"));
}

TEST(GradeReports, TextOfStudentsIsEscaped) {
  Grade evil = grade("<img src=x onerror=alert(1)>", Verdict::wrong);
  evil.forStudent = "</p><script>alert(1)</script>";
  evil.place->element = "<b>P</b>[0]";
  const std::string page = toHtml(evil, facts());
  for (const char* markup : {"<img", "<script", "<b>"}) EXPECT_FALSE(has(page, markup)) << markup;
}

TEST(GradeReports, APageBelongsToOneFileAndItsMarks) {
  const Grade now = grade("ada", Verdict::wrong);
  const std::string page = toHtml(now, facts());
  EXPECT_TRUE(isPageOf(now, facts(), page));
  Grade other = now;
  other.hash = "00000000000000ab";
  EXPECT_FALSE(isPageOf(other, facts(), page)) << "another file with the same marks";
  other = now;
  other.byHand = 1;
  EXPECT_FALSE(isPageOf(other, facts(), page));
  other = now;
  other.rows[1].marks = 4;
  other.rows[2].marks = 0;
  EXPECT_FALSE(isPageOf(other, facts(), page));
  RunFacts elsewhere = facts();
  elsewhere.assignment = "Another";
  EXPECT_FALSE(isPageOf(now, elsewhere, page));
  EXPECT_FALSE(isPageOf(now, facts(), ""));
}

TEST(GradeReports, PagesHaveUniqueHarmlessNames) {
  EXPECT_EQ(pageName("ada"), "ada.html");
  EXPECT_FALSE(has(pageName("../../etc/passwd"), "/"));
  EXPECT_NE(pageName("a b"), pageName("a_b"));
  const std::string page = pageName("a b");
  EXPECT_NE(pageName(page.substr(0, page.find(".html"))), page) << "nobody takes another's page";
  EXPECT_NE(pageName("a/b"), pageName("a b"));
  EXPECT_NE(pageName(std::string(100, 'a') + "1"), pageName(std::string(100, 'a') + "2"));
  EXPECT_NE(pageName(""), "");
}

}  // namespace tilestep::grade::reports_test
