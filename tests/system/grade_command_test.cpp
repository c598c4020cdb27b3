// SPDX-License-Identifier: Apache-2.0
// `tilestep grade` and `tilestep assignment`.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "base/files.h"
#include "lab/sweep_file.h"
#include "support/own_process.h"
#include "support/results.h"
#include "support/service.h"
#include "support/skips.h"
#include "support/source_root.h"
#include "support/toolkit.h"
#include "system/run_support.h"

namespace tilestep::system_test::grade_command_test {

const support::OwnProcess ownProcess{"GradeCommand"};

namespace fs = std::filesystem;
using nlohmann::json;
using support::Finished;
using support::Words;

constexpr const char* kRight =
    "__global__ void add(const float* M, const float* N, float* P, int m, int n) {\n"
    "  int col = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  int row = blockIdx.y * blockDim.y + threadIdx.y;\n"
    "  if (row < m && col < n) P[row * n + col] = M[row * n + col] + N[row * n + col];\n"
    "}\n";

class GradeCommand : public testing::Test {
 protected:
  support::TemporaryFolder folder{"grade"};

  void submit(const std::string& id, const std::string& text) const {
    fs::create_directories(folder.path("class"));
    folder.write("class/" + id + ".cu", text);
  }
  [[nodiscard]] Finished grade(const Words& more) const {
    Words words{"grade", folder.path("class"), "--spec", "matrix_sum"};
    words.insert(words.end(), more.begin(), more.end());
    return support::tilestep(words);
  }
  /// The grades in the output of --json, by id.
  [[nodiscard]] std::map<std::string, json> graded(const Words& more = {}, int status = 0) const {
    Words words{"--json", "--hidden-seed", "5"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished finished = grade(words);
    EXPECT_EQ(finished.status, status) << finished.err;
    std::map<std::string, json> byId;
    for (const json& one : json::parse(finished.out, nullptr, false))
      byId[one.value("id", "")] = one;
    return byId;
  }
};

TEST_F(GradeCommand, NamesHiddenFoldersThatAreIgnored) {
  submit("ada", kRight);
  fs::create_directories(folder.path("class/.hidden"));
  fs::create_directories(folder.path("class/.git"));
  submit(".hidden/tiles", kRight);
  submit(".git/tiles", kRight);
  const Finished finished = grade({"--hidden-seed", "5", "--json"});
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_EQ(json::parse(finished.out, nullptr, false).size(), 1U);
  EXPECT_TRUE(has(finished.err, "class/.hidden"));
  EXPECT_FALSE(has(finished.err, ".git"));
}

/// clang writes to the temporary folder when it compiles a suspected race.
TEST_F(GradeCommand, WithoutATemporaryFolderNothingIsGraded) {
  submit("ada", kRight);
  const Finished finished = support::tilestep(
      {"grade", folder.path("class"), "--spec", "matrix_sum", "--hidden-seed", "5"},
      {"TMPDIR=/nonexistent"});
  EXPECT_NE(finished.status, 0);
  EXPECT_EQ(finished.out, "");
  EXPECT_TRUE(has(finished.err, "TMPDIR"));
}

TEST_F(GradeCommand, AReportReplacesOnlyEarlierReports) {
  submit("ada", kRight);
  const std::string file = folder.path("class/ada.cu");
  const std::string before = folder.read("class/ada.cu");
  for (const std::string& report : {file, folder.path("marks.csv")}) {
    const Finished finished =
        grade({"--hidden-seed", "5", "--csv", folder.path("marks.csv"), "--junit", report});
    EXPECT_EQ(finished.status, 2) << finished.err;
    EXPECT_TRUE(has(finished.err, "--junit"));
  }
  EXPECT_EQ(folder.read("class/ada.cu"), before);
  const std::string report = folder.path("marks.xml");
  for (int run = 0; run < 2; ++run)
    EXPECT_EQ(grade({"--hidden-seed", "5", "--junit", report}).status, 0)
        << "an earlier report is replaced";
}

TEST_F(GradeCommand, DistinguishesRightWrongRefusedAndEndless) {
  submit("right", kRight);
  submit("minus", support::replaced(kRight, "] + N", "] - N"));
  submit("edges", support::replaced(kRight, "row < m && col < n", "row < m"));
  submit("thief", support::replaced(kRight, "{\n", "{\n#include \"/etc/passwd\"\n"));
  submit("zero",
         "/*---\nreference = \"none\"\n---*/\n__global__ void add(const float* M, const "
         "float* N, float* P, int m, int n) {}\n");
  submit("endless",
         support::replaced(kRight, "  if (row", "  for (;;) atomicAdd(P, 1.0f);\n  if (row"));
  submit("broken", "__global__ void add(const float* M {\n");
  const auto all = graded();
  ASSERT_EQ(all.size(), 7U);
  EXPECT_EQ(all.at("right")["verdict"], "right");
  EXPECT_EQ(all.at("right")["marks"]["result"], 1.0);
  for (const char* wrong : {"minus", "edges", "zero", "endless"})
    EXPECT_EQ(all.at(wrong)["verdict"], "wrong") << wrong << all.at(wrong).dump();
  EXPECT_EQ(all.at("edges")["marks"]["bounds"], 0.0);
  EXPECT_EQ(all.at("endless")["marks"]["end"], 0.0);
  EXPECT_EQ(all.at("broken")["verdict"], "refused");
  EXPECT_EQ(all.at("broken")["marks"]["compiles"], 0.0);
  EXPECT_EQ(all.at("thief")["verdict"], "refused");
  EXPECT_EQ(all.at("minus")["place"]["line"], 4) << all.at("minus").dump();
}

TEST_F(GradeCommand, AnySeedOf64BitsIsAccepted) {
  submit("right", kRight);
  const json once = graded().at("right");
  EXPECT_EQ(once["sizes"].size(), 12U);
  EXPECT_EQ(once["seed"], 5);
  EXPECT_EQ(grade({"--json", "--hidden-seed", "18446744073709551615"}).status, 0);
}

TEST_F(GradeCommand, ResumeGradesOnlyNewAndChangedSubmissions) {
  submit("ada", kRight);
  submit("alan", kRight);
  const std::string csv = folder.path("marks.csv");
  ASSERT_EQ(grade({"--csv", csv}).status, 0);
  const std::string before = folder.read("marks.csv");
  EXPECT_EQ(grade({"--csv", csv}).status, 2) << "an existing file is not overwritten";
  EXPECT_EQ(grade({"--csv", csv, "--hidden-seed", "1", "--resume"}).status, 2);
  ASSERT_EQ(grade({"--csv", csv, "--resume"}).status, 0);
  EXPECT_EQ(folder.read("marks.csv"), before) << "nothing was graded again";
  submit("alan", support::replaced(kRight, "] + N", "] - N"));
  submit("grace", kRight);
  ASSERT_EQ(grade({"--csv", csv, "--resume"}).status, 0);
  const std::string after = folder.read("marks.csv");
  const std::string ada =
      before.substr(before.find("\nada,"), before.find("\nalan,") - before.find("\nada,"));
  EXPECT_TRUE(has(after, ada)) << "ada's line stays as it was";
  EXPECT_TRUE(has(after, "\nalan,wrong,"));
  EXPECT_TRUE(has(after, "\ngrace,right,"));
  // Only a new grade replaces a line that was changed by hand.
  const std::string noted = support::replaced(after, "\nada,right,", "\nada,wrong,");
  folder.write("marks.csv", noted);
  ASSERT_EQ(grade({"--csv", csv, "--resume", "--again", "grace"}).status, 0);
  EXPECT_TRUE(has(folder.read("marks.csv"), "\nada,wrong,"));
  ASSERT_EQ(grade({"--csv", csv, "--resume", "--again", "ada"}).status, 0);
  EXPECT_TRUE(has(folder.read("marks.csv"), "\nada,right,"));
}

TEST_F(GradeCommand, PagesAndJunitAreWritten) {
  submit("ada", support::replaced(kRight, "] + N", "] - N"));
  const Finished finished = grade(
      {"--hidden-seed", "5", "--html", folder.path("pages"), "--junit", folder.path("marks.xml")});
  EXPECT_EQ(finished.status, 0) << finished.err;
  const std::string page = folder.read("pages/ada.html");
  EXPECT_TRUE(has(page, "The kernel is wrong."));
  EXPECT_TRUE(has(page, "P[0][0]"));
  const std::string sizes = graded().at("ada")["sizes"].dump();
  const std::regex number("[0-9]{3,}");
  size_t numbers = 0;
  for (std::sregex_iterator at(sizes.begin(), sizes.end(), number), end; at != end; ++at, ++numbers)
    EXPECT_FALSE(std::regex_search(page, std::regex("\\b" + at->str() + "\\b"))) << at->str();
  EXPECT_GT(numbers, 3U) << sizes;
  EXPECT_TRUE(has(folder.read("marks.xml"), "<testsuite name=\"ada\""));
}

/// A student's id may be `index`.
TEST_F(GradeCommand, APageReplacesOnlyPages) {
  submit("index", kRight);
  fs::create_directories(folder.path("pages"));
  folder.write("pages/index.html", "<h1>My course</h1>");
  const Finished refused = grade({"--hidden-seed", "5", "--html", folder.path("pages")});
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(has(refused.err, "no page of Tilestep's"));
  EXPECT_EQ(folder.read("pages/index.html"), "<h1>My course</h1>");
  folder.write("pages/index.html", "");
  for (int times = 0; times < 2; ++times)
    EXPECT_EQ(grade({"--hidden-seed", "5", "--html", folder.path("pages")}).status, 0);
  EXPECT_TRUE(has(folder.read("pages/index.html"), "1 hand-in graded"));
}

TEST_F(GradeCommand, TheClassPageIsCompleteAfterResume) {
  const std::string unguarded = support::replaced(kRight, "if (row < m && col < n) ", "");
  submit("ada", unguarded);
  submit("alan", unguarded);
  const Words words{"--hidden-seed",          "5",      "--csv",
                    folder.path("marks.csv"), "--html", folder.path("pages")};
  ASSERT_EQ(grade(words).status, 0);
  EXPECT_TRUE(has(folder.read("pages/index.html"), "2 of 2</span> have no guard"));
  submit("grace", kRight);
  Words again = words;
  again.emplace_back("--resume");
  ASSERT_EQ(grade(again).status, 0);
  const std::string page = folder.read("pages/index.html");
  EXPECT_TRUE(has(page, "2 of 3</span> have no guard"));
  EXPECT_TRUE(has(page, "2 files are equal"));
  // Unknown troubles are determined again.
  folder.write("pages/class.json", "");
  ASSERT_EQ(grade(again).status, 0);
  EXPECT_EQ(folder.read("pages/index.html"), page);
}

TEST_F(GradeCommand, WrongRequestsAreRefused) {
  submit("ada", kRight);
  const std::string hand = folder.path("hand.csv");
  for (const char* option : {"--csv", "--junit"})
    expectRefused({"grade", folder.path("class"), "--spec", "matrix_sum", option, hand, "--by-hand",
                   folder.path("./hand.csv")},
                  {option, "--by-hand", "same file"});
  expectRefused({"grade", folder.path("nowhere"), "--spec", "matrix_sum"}, {"nowhere"});
  expectRefused({"grade", folder.path("class"), "--spec", "no_such_kernel"}, {"no_such_kernel"});
  expectRefused({"grade", folder.path("class"), "--spec", "matrix_sum", "--sizes", "q=3"}, {"q"});
  expectRefused({"grade", folder.path("class"), "--spec", "matrix_sum", "--again", "ada"},
                {"--resume"});
  expectRefused({"grade", folder.path("class"), "--spec", "matrix_sum", "--hidden-seed", "x"},
                {"--hidden-seed"});
  expectRefused({"grade", folder.path("class"), "--spec", "matrix_sum", "--workers", "16"},
                {"--memory or --workers"});
  for (const char* pages : {"class", "class/pages", "class/../class/pages"})
    expectRefused(
        {"grade", folder.path("class"), "--spec", "matrix_sum", "--html", folder.path(pages)},
        {"name a folder outside"});
  const std::string csv = folder.path("marks.csv");
  expectRefused({"grade", folder.path("class"), "--spec", "matrix_sum", "--csv", csv, "--resume",
                 "--again", "alan"},
                {"alan"});
}

TEST_F(GradeCommand, ANewAssignmentCanBeGraded) {
  const std::string home = folder.path("work");
  fs::create_directories(home);
  const fs::path before = fs::current_path();
  fs::current_path(home);
  const Finished made = support::tilestep({"assignment", "new", "tiles"});
  const Finished twice = support::tilestep({"assignment", "new", "tiles"});
  fs::current_path(before);
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_EQ(twice.status, 2) << "an existing folder is kept";
  const std::string tiles = home + "/tiles/";
  // A starter compiles and is wrong, and the public check names untested aspects.
  const Finished starter =
      support::expectStatus(0, {"grade", tiles + "student/tiles.cu", "--spec",
                                tiles + "student/public.toml", "--hidden-seed", "1"});
  EXPECT_TRUE(has(starter.out, "1 graded: 1 wrong"));
  EXPECT_TRUE(has(starter.out, "not tested"));
  const Finished solution = support::tilestep({"grade", tiles + "teacher/solution.cu", "--spec",
                                               tiles + "teacher/tiles.toml", "--hidden-seed", "1"});
  EXPECT_TRUE(has(solution.out, "1 graded: 1 right"));
}

TEST_F(GradeCommand, CountsThatOmitAtomicLoadsAreNotMarked) {
  const auto spec =
      readTextFile(support::sourceRoot() + "/tests/grade/submissions/scale_rows/teacher.toml");
  ASSERT_TRUE(spec.ok());
  folder.write("spec.toml",
               *spec +
                   "\n[grading]\ndrawn = 2\nsolution = \"solution.cu\"\n"
                   "[[grading.count]]\ncounter = \"global_load_bytes\"\nat_most = 1\nmarks = 2\n");
  const std::string plain =
      "__global__ void scale(const int* X, int* b, int* Y, int a, int m, int n) {\n"
      "  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < m * n; i += gridDim.x * BLOCK)\n"
      "    Y[i] = a * X[i] + Y[i] + b[i % n];\n"
      "}\n";
  folder.write("solution.cu", plain);
  submit("plain", plain);
  submit("atomic", support::replaced(plain, "b[i % n]", "atomicOr(&b[i % n], 0)"));
  const Finished finished =
      support::tilestep({"grade", folder.path("class"), "--spec", folder.path("spec.toml"),
                         "--hidden-seed", "5", "--json"});
  const json grades = json::parse(finished.out, nullptr, false);
  ASSERT_EQ(grades.size(), 2U) << finished.err;
  for (const json& one : grades) {
    EXPECT_EQ(one["verdict"], "right") << one.dump();
    const json& marks = one["marks"]["global_load_bytes"];
    EXPECT_EQ(marks, one["id"] == "plain" ? json(2.0) : json()) << one.dump();
  }
}

}  // namespace tilestep::system_test::grade_command_test
