// SPDX-License-Identifier: Apache-2.0
// `tilestep grade` over the submissions of tests/grade and over hostile submissions.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "classes/hostile_files.h"
#include "lab/sweep_file.h"
#include "support/results.h"
#include "support/service.h"
#include "support/skips.h"
#include "support/source_root.h"
#include "support/tool.h"
#include "support/toolkit.h"

namespace tilestep::system_test::classes_test {

namespace fs = std::filesystem;
using nlohmann::json;
using support::Finished;
using support::Words;

/// The labels of tests/grade/submissions by "assignment/file": "right" or "wrong".
std::map<std::string, std::string> labels() {
  std::map<std::string, std::string> all;
  const auto text =
      readTextFile(fs::path(support::sourceRoot()) / "tests/grade/submissions/labels.csv");
  EXPECT_TRUE(text.ok());
  for (const lab::SweepLine& line : lab::parseCsv(*text).lines)
    all[line[0] + "/" + line[1]] = line[2];
  return all;
}

TEST(LabelledSubmissions, AreJudgedAsLabelled) {
  const fs::path root = fs::path(support::sourceRoot()) / "tests/grade/submissions";
  const std::map<std::string, std::string> wanted = labels();
  ASSERT_EQ(wanted.size(), 41U);  // Includes the header line.
  for (const char* name : {"product", "transpose", "block_sums", "five_points", "scale_rows"}) {
    const Finished finished = support::tilestep({"grade", (root / name).string(), "--spec",
                                                 (root / name / "teacher.toml").string(),
                                                 "--hidden-seed", "3", "--json"});
    EXPECT_EQ(finished.status, 0) << finished.err;
    const json grades = json::parse(finished.out, nullptr, false);
    ASSERT_EQ(grades.size(), 8U) << finished.err;
    for (const json& grade : grades) {
      const std::string label = wanted.at(name + ("/" + grade["file"].get<std::string>()));
      // A wrong file that does not compile or has a different interface is refused.
      EXPECT_TRUE(grade["verdict"] == label || (label == "wrong" && grade["verdict"] == "refused"))
          << name << ": " << grade.dump();
    }
  }
}

/// The verdicts on tests/grade/attacks/FOLDER, by file.
std::map<std::string, json> gradesOfAttacks(const std::string& folder) {
  const fs::path root = fs::path(support::sourceRoot()) / "tests/grade";
  const Finished finished = support::tilestep(
      {"grade", (root / "attacks" / folder).string(), "--spec",
       (root / "submissions/block_sums/teacher.toml").string(), "--hidden-seed", "51", "--json"});
  std::map<std::string, json> grades;
  for (const json& grade : json::parse(finished.out, nullptr, false)) grades[grade["file"]] = grade;
  EXPECT_FALSE(grades.empty()) << finished.err;
  return grades;
}

/// A kernel that a compiler or ptxas rejects is refused. A kernel that no GPU launches is wrong.
bool isWrong(const json& grade, const std::string& row) {
  return grade["verdict"] == "wrong" || (row == "compiles" && grade["verdict"] == "refused");
}

/// Kernels that look right but are wrong. Each fails the row in its label, and "compiles" fails
/// only if no GPU launches the kernel.
TEST(HardSubmissions, WrongOnesFailForTheirReason) {
  const std::map<std::string, json> grades = gradesOfAttacks("wrong");
  const auto labels = valueOrThrow(
      readTextFile(fs::path(support::sourceRoot()) / "tests/grade/attacks/labels.csv"));
  size_t count = 0;
  for (const lab::SweepLine& line : lab::parseCsv(labels).lines) {
    if (line[0] == "file") continue;
    ++count;
    ASSERT_TRUE(grades.contains(line[0])) << line[0];
    const json& grade = grades.at(line[0]);
    EXPECT_TRUE(isWrong(grade, line[1])) << grade.dump();
    EXPECT_EQ(grade["marks"][line[1]], 0.0) << grade.dump();
    EXPECT_EQ(grade["marks"]["compiles"] == 0.0, line[1] == "compiles") << grade.dump();
  }
  EXPECT_EQ(count, grades.size());
}

/// Only ptxas knows the registers of a thread and the stack of a call, and it may reject inline
/// PTX.
TEST(HardSubmissions, ErrorsOfPtxasCount) {
  if (const std::string skip = support::skipWithout("nvrtc"); !skip.empty()) GTEST_SKIP() << skip;
  const std::map<std::string, json> grades = gradesOfAttacks("ptxas");
  const std::map<std::string, std::string> rows{{"deep_recursion.cu", "bounds"},
                                                {"many_registers.cu", "compiles"},
                                                {"shuffle_without_sync.cu", "compiles"}};
  EXPECT_EQ(grades.size(), rows.size());
  for (const auto& [file, row] : rows) {
    ASSERT_TRUE(grades.contains(file)) << file;
    EXPECT_TRUE(isWrong(grades.at(file), row)) << grades.at(file).dump();
    EXPECT_EQ(grades.at(file)["marks"][row], 0.0) << grades.at(file).dump();
  }
}

TEST(HardSubmissions, RightOnesPass) {
  const std::map<std::string, json> grades = gradesOfAttacks("right");
  EXPECT_GE(grades.size(), 4U);
  for (const auto& [file, grade] : grades) EXPECT_EQ(grade["verdict"], "right") << grade.dump();
}

/// These kernels need something that is missing here, and may be right elsewhere.
TEST(HardSubmissions, DoubtfulOnesAreUnjudged) {
  const std::map<std::string, json> grades = gradesOfAttacks("doubtful");
  EXPECT_GE(grades.size(), 5U);
  for (const auto& [file, grade] : grades) EXPECT_EQ(grade["verdict"], "unjudged") << grade.dump();
}

TEST(HostileSubmissions, AreNeverRightAndDisturbNoOthers) {
  const support::TemporaryFolder folder("hostile");
  for (const HostileFile& file : hostileFiles()) folder.write(file.id + ".cu", file.text);
  const Finished finished = support::tilestep(
      {"grade", folder.path(), "--spec", "matrix_sum", "--hidden-seed", "3", "--json"});
  const json grades = json::parse(finished.out, nullptr, false);
  ASSERT_GT(grades.size(), 40U) << finished.err;
  for (const json& grade : grades) {
    EXPECT_NE(grade["verdict"], "right") << grade.dump();
    EXPECT_NE(grade["verdict"], "failed") << grade.dump();
    const std::string id = grade["id"];
    constexpr std::array kRefused{"embed",           "has_include",    "include_comment",
                                  "include_in_body", "line_directive", "raw_string"};
    EXPECT_TRUE(grade["verdict"] == "refused" || std::ranges::find(kRefused, id) == kRefused.end())
        << grade.dump();
    // On a busy machine, an endless launch may reach the time limit first.
    const bool wasLate = grade["verdict"] == "unjudged" &&
                         grade.value("reason", "").find("It was tried twice") != std::string::npos;
    EXPECT_TRUE(!id.starts_with("loop") || grade["verdict"] == "wrong" || wasLate) << grade.dump();
  }
}

}  // namespace tilestep::system_test::classes_test
