// SPDX-License-Identifier: Apache-2.0
#include "grade/results_csv.h"

#include <gtest/gtest.h>

#include "grade/ledger.h"
#include "support/results.h"

namespace tilestep::grade::results_csv_test {

const std::vector<Row> kRows{{"compiles", {}, 1, ""}, {"result", {}, 4, ""}};

Record record(const std::string& id, Verdict verdict = Verdict::wrong) {
  Record one;
  one.grade.id = id;
  one.grade.file = id + ".cu";
  one.grade.hash = "00000000000000aa";
  one.grade.verdict = verdict;
  one.grade.reason = "The result is wrong, at 2 of 8 hidden launches.";
  one.grade.rows = {{"compiles", 1.0, 1, ""}, {"result", std::nullopt, 4, "This was not judged."}};
  one.grade.seconds = 1.5;
  one.seed = 18446744073709551615U;
  one.rules = "0123456789abcdef";
  one.version = "1.0";
  return one;
}

TEST(ResultsCsv, ReadingInvertsWriting) {
  const std::string text = toCsv({record("ada"), record("alan", Verdict::right)}, kRows);
  const auto back = valueOrThrow(readCsv("marks.csv", text, kRows));
  ASSERT_EQ(back.size(), 2U);
  const Record& first = back.front();
  EXPECT_EQ(first.grade.id, "ada");
  EXPECT_EQ(first.grade.verdict, Verdict::wrong);
  EXPECT_EQ(first.grade.reason, "The result is wrong, at 2 of 8 hidden launches.");
  EXPECT_EQ(first.grade.rows[0].marks, 1.0);
  EXPECT_EQ(first.grade.rows[1].marks, std::nullopt) << "not judged is not zero";
  EXPECT_EQ(first.grade.rows[1].of, 4);
  EXPECT_EQ(first.seed, 18446744073709551615U);
  EXPECT_EQ(first.rules, "0123456789abcdef");
  EXPECT_EQ(back.back().grade.verdict, Verdict::right);
}

TEST(ResultsCsv, FormulasAndHashesAreEscaped) {
  Record evil = record("=HYPERLINK(\"http://example.com\")");
  evil.grade.file = "+1.cu";
  evil.grade.reason = "@SUM(A1:A9), \"quoted\"\nand more";
  const std::string text = toCsv({evil}, kRows);
  EXPECT_EQ(text.find(",=") == std::string::npos && text.find("\n=") == std::string::npos, true);
  EXPECT_TRUE(has(text, "'=HYPERLINK"));
  EXPECT_TRUE(has(text, "'+1.cu"));
  const auto back = readCsv("marks.csv", text, kRows);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->front().grade.id, evil.grade.id);
  EXPECT_EQ(back->front().grade.reason, evil.grade.reason);
  Record digits = record("ada");
  digits.grade.hash = digits.rules = "4868861188594557";
  const std::string hashes = toCsv({digits}, kRows);
  EXPECT_TRUE(has(hashes, ",0x4868861188594557,"));
  const auto again = readCsv("marks.csv", hashes, kRows);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->front().grade.hash, digits.grade.hash);
  EXPECT_EQ(again->front().rules, digits.rules);
}

TEST(ResultsCsv, IdsStayDistinctQuotedAndSorted) {
  for (const char* id : {"=1+1", "'=1+1", "''=1+1", "'", "a'b", ";x"}) {
    const auto back = readCsv("marks.csv", toCsv({record(id)}, kRows), kRows);
    ASSERT_TRUE(back.ok()) << id;
    EXPECT_EQ(back->front().grade.id, id);
  }
  // Spreadsheets of some languages separate cells by semicolons.
  EXPECT_TRUE(has(toCsv({record("a;=1+1")}, kRows), "\"a;=1+1\""));
  const std::string text = toCsv({record("zoe"), record("ada")}, kRows);
  EXPECT_LT(text.find("\nada,"), text.find("\nzoe,"));
}

TEST(ResultsCsv, DamagedAndOtherFilesAreRefused) {
  EXPECT_TRUE(fails(readCsv("marks.csv", "id;verdict;compiles\n", kRows), "semicolons"));
  std::string text = toCsv({record("ada"), record("bob")}, kRows);
  ASSERT_TRUE(readCsv("marks.csv", text, kRows).ok());
  EXPECT_TRUE(fails(readCsv("marks.csv", text.substr(0, text.size() - 5), kRows), "--force"));
  text.insert(text.find("ada.cu"), "\"");
  EXPECT_FALSE(readCsv("marks.csv", text, kRows).ok());
  const std::string whole = toCsv({record("ada")}, kRows);
  EXPECT_FALSE(readCsv("marks.csv", "kernel,device\n", kRows).ok());
  EXPECT_FALSE(readCsv("marks.csv", whole, {kRows.front()}).ok());
  std::string damaged = whole;
  damaged.replace(damaged.find("wrong"), 5, "perfect");
  EXPECT_TRUE(fails(readCsv("marks.csv", damaged, kRows), "line 2"));
}

TEST(ResultsCsv, MarksAreBetweenZeroAndTheMaximum) {
  const std::string text = toCsv({record("ada")}, kRows);
  for (const char* marks : {"nan", "inf", "-1", "2"}) {
    std::string other = text;
    other.replace(other.find("wrong,1,1"), 9, std::string("wrong,") + marks + ",1");
    EXPECT_FALSE(readCsv("marks.csv", other, kRows).ok()) << marks;
  }
  EXPECT_FALSE(readCsv("marks.csv", text + text.substr(text.find("\nada") + 1), kRows).ok());
}

TEST(ResultsCsv, MarksByHandAreTheTotal) {
  Record marked = record("ada");
  marked.grade.byHand = 3.5;
  const std::string text = toCsv({marked}, kRows);
  EXPECT_TRUE(has(text, ",,4,,5,"));
  EXPECT_TRUE(has(text, ",3.5,3.5\n"));
  const auto back = valueOrThrow(readCsv("marks.csv", text, kRows));
  EXPECT_EQ(back.front().grade.total(), 3.5);
  EXPECT_EQ(back.front().grade.judgedMarks(), std::nullopt);
}

/// The next grading would overwrite changed marks.
TEST(ResultsCsv, ChangedMarksAreRefused) {
  Record whole = record("ada");
  whole.grade.rows[1].marks = 1.0 / 3;
  const std::string text = toCsv({whole}, kRows);
  ASSERT_TRUE(readCsv("marks.csv", text, kRows).ok());
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{",1,1,0.333,4,", ",0,1,0.333,4,"},
                                                        {",1,1,0.333,4,", ",1,1,,4,"},
                                                        {",1.333,5,", ",2,5,"},
                                                        {",1.333,5,", ",,5,"},
                                                        {",1,1,0.333,4,", ",1,2,0.333,4,"},
                                                        {",,1.333\n", ",,3\n"},
                                                        {",,1.333\n", ",,\n"},
                                                        {",,1.333\n", ",3,1.333\n"}}) {
    std::string changed = text;
    ASSERT_TRUE(has(changed, from)) << text;
    changed.replace(changed.find(from), from.size(), to);
    EXPECT_FALSE(readCsv("marks.csv", changed, kRows).ok()) << changed;
  }
  std::string filled = toCsv({record("ada", Verdict::unjudged)}, kRows);
  filled.replace(filled.find("unjudged,1,1,,4"), 15, "unjudged,1,1,4,4");
  EXPECT_TRUE(fails(readCsv("marks.csv", filled, kRows), "--by-hand"));
}

TEST(GradeLedger, SettlesOnlyTheSameFileAndRules) {
  const Ledger ledger({record("ada"), record("alan", Verdict::failed),
                       record("grace", Verdict::unjudged), record("eve", Verdict::refused)});
  EXPECT_TRUE(ledger.settles(record("ada")));
  EXPECT_TRUE(ledger.settles(record("eve")));
  EXPECT_FALSE(ledger.settles(record("alan")));
  EXPECT_FALSE(ledger.settles(record("grace")));
  EXPECT_FALSE(ledger.settles(record("nobody")));
  for (const auto& change : std::vector<std::function<void(Record&)>>{
           [](Record& r) { r.grade.hash = "00000000000000ab"; }, [](Record& r) { r.seed = 7; },
           [](Record& r) { r.rules = "0"; }, [](Record& r) { r.version = "2.0"; },
           [](Record& r) { r.grade.hash = ""; }}) {
    Record other = record("ada");
    change(other);
    EXPECT_FALSE(ledger.settles(other));
  }
}

TEST(GradeLedger, AnIdIsRestoredByItsFile) {
  Ledger ledger({record("12345"), record("ada")});
  EXPECT_EQ(ledger.rename("12345.cu", "0012345", {"0012345", "ada"}), "12345");
  EXPECT_NE(ledger.find("0012345"), nullptr);
  EXPECT_EQ(ledger.rename("ada.cu", "bob", {"ada", "bob"}), std::nullopt) << "ada is there";
  EXPECT_EQ(ledger.rename("ada.cu", "ada", {"bob"}), std::nullopt);
}

TEST(GradeLedger, GradesByDifferentRulesOrSeedsDoNotMix) {
  const Ledger ledger({record("ada")});
  EXPECT_TRUE(ledger.checkRules("0123456789abcdef").ok());
  EXPECT_TRUE(fails(ledger.checkRules("fedcba9876543210"), "--force"));
  Record other = record("alan");
  other.seed = 3;
  EXPECT_FALSE(Ledger({record("ada"), other}).seed().ok());
  EXPECT_EQ(*Ledger({other}).seed(), std::optional<uint64_t>(3));
  EXPECT_EQ(*Ledger().seed(), std::nullopt);
}

TEST(GradeLedger, PutReplacesARecordInPlaceOrAddsOne) {
  Ledger ledger({record("ada"), record("alan")});
  Record better = record("ada", Verdict::right);
  ledger.put(better);
  ledger.put(record("grace"));
  ASSERT_EQ(ledger.records().size(), 3U);
  EXPECT_EQ(ledger.records()[0].grade.verdict, Verdict::right);
  EXPECT_EQ(ledger.records()[1].grade.id, "alan");
  EXPECT_EQ(ledger.records()[2].grade.id, "grace");
}

}  // namespace tilestep::grade::results_csv_test
