// SPDX-License-Identifier: Apache-2.0
#include "grade/submission.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <map>

#include "support/service.h"

namespace tilestep::grade {
namespace submission_test {

namespace fs = std::filesystem;

class Submissions : public testing::Test {
 protected:
  support::TemporaryFolder folder{"submissions"};

  void file(const std::string& path, const std::string& text = "kernel") const {
    fs::create_directories(fs::path(folder.path(path)).parent_path());
    folder.write(path, text);
  }
  [[nodiscard]] std::map<std::string, Submission> found(const std::string& place = "",
                                                        const std::string& name = "") const {
    const auto submissions = findSubmissions({folder.path(place)}, name);
    EXPECT_TRUE(submissions.ok()) << (submissions ? "" : submissions.error().message);
    std::map<std::string, Submission> byId;
    if (submissions)
      for (const Submission& one : submissions->all) byId[one.id] = one;
    return byId;
  }
};

TEST_F(Submissions, MoodlesFolders) {
  file("Ada Lovelace_4711_assignsubmission_file_/tiles.cu");
  file("Alan Turing_4712_assignsubmission_file_/mine.cu");
  const auto all = found();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all.at("4711").file, "Ada Lovelace_4711_assignsubmission_file_/tiles.cu");
  EXPECT_EQ(all.at("4712").problem, "");
}

TEST_F(Submissions, MoodlesTextsBelongToTheSameStudent) {
  file("Ada Lovelace_4711_assignsubmission_file_/tiles.cu");
  file("Ada Lovelace_4711_assignsubmission_onlinetext_/onlinetext.html");
  file("Alan Turing_4712_assignsubmission_onlinetext_/onlinetext.html");
  file("Grace Hopper_4713_assignsubmission_filed/tiles.cu");
  const auto all = found();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all.at("4711").problem, "");
  EXPECT_NE(all.at("4712").problem, "");
  EXPECT_TRUE(all.contains("Grace Hopper_4713_assignsubmission_filed"));
}

TEST_F(Submissions, MoodlesFilesWithoutFolders) {
  file("Ada Lovelace_4711_assignsubmission_file_tiles.cu");
  // A student's own name, or that of the file, imitates somebody else's.
  const std::string either =
      "Alan Turing_4712_assignsubmission_file_x_4711_assignsubmission_file_tiles";
  file(either + ".cu");
  const auto all = found();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all.at("4711").problem, "");
  EXPECT_NE(all.at(either).problem.find("rename it"), std::string::npos);
}

/// As a shell names them with "class/*".
TEST_F(Submissions, SeveralStudentsFoldersAreNotTakenForClasses) {
  file("class/ada/tiles.cu");
  file("class/eve/bob.cu");
  const auto several = findSubmissions({folder.path("class/ada"), folder.path("class/eve")}, "");
  ASSERT_FALSE(several.ok());
  EXPECT_NE(several.error().message.find("name the folder that holds them"), std::string::npos)
      << several.error().message;
  EXPECT_TRUE(
      findSubmissions({folder.path("class/ada/tiles.cu"), folder.path("class/eve/bob.cu")}, "")
          .ok())
      << "files are what was named";
}

TEST_F(Submissions, OneStudentsFolderBearsItsOwnId) {
  file("Eve_4712_assignsubmission_file_/bob.cu");
  file("tiles-submissions/tiles-ada/bob/tiles.cu");
  for (const auto& [place, id] : {std::pair{"Eve_4712_assignsubmission_file_", "4712"},
                                  std::pair{"tiles-submissions/tiles-ada/", "ada"}}) {
    const auto found = findSubmissions({folder.path(place)}, "");
    ASSERT_TRUE(found.ok()) << found.error().message;
    ASSERT_EQ(found->all.size(), 1U);
    EXPECT_EQ(found->all.front().id, id);
  }
}

TEST_F(Submissions, AMoodleFoldersLastNumberIsTheStudents) {
  file("Ann_4713_assignsubmission_file_/tiles.cu");
  file("Eve_4712_assignsubmission_file_x_4711_assignsubmission_file_/tiles.cu");
  const auto all = found();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_TRUE(all.contains("4711"));
  EXPECT_FALSE(all.contains("4712"));
}

/// Two numbers in the student's part are Canvas' only where they come first.
TEST_F(Submissions, WhatStandsFirstInANameSaysWhoseItIs) {
  file("Bob Burns_4711_assignsubmission_file_ex_3_2_tiles.cu");
  file("Eve Adams_4712_assignsubmission_file_x_4711_5_tiles.cu");
  file("mallory_1002_55502_x_4711_assignsubmission_file_tiles.cu");
  file("ann_1_47130_assignsubmission_file_tiles.cu");
  file("dan_ex_3_2_tiles.cu");
  const auto all = found();
  ASSERT_EQ(all.size(), 5U);
  EXPECT_TRUE(all.contains("dan_ex_3_2_tiles"));
  for (const char* id : {"4711", "4712", "1002"}) EXPECT_EQ(all.at(id).problem, "") << id;
  EXPECT_NE(all.at("ann_1_47130_assignsubmission_file_tiles").problem.find("rename it"),
            std::string::npos);
}

TEST_F(Submissions, ACourseSystemsWordsAreNoPartOfAFilesName) {
  file("Bob Burns_4711_assignsubmission_file_tiles.cu");
  file("Bob Burns_4711_assignsubmission_file_old_tiles.cu");
  file("ann_1001_55501_tiles-2.cu");
  file("ann_1001_55501_old_tiles.cu");
  const auto all = found("", "tiles.cu");
  EXPECT_EQ(all.at("4711").problem, "");
  EXPECT_EQ(all.at("1001").problem, "");
}

TEST_F(Submissions, OneStudentOfMoodlesAlone) {
  file("Ada Lovelace_4711_assignsubmission_file_/tiles.cu");
  EXPECT_TRUE(found().contains("4711"));
}

TEST_F(Submissions, CanvasNames) {
  file("lovelaceada_1001_55501_tiles.cu");
  file("turingalan_LATE_1002_55502_my_tiles-1.cu");
  const auto all = found();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_TRUE(all.contains("1001"));
  EXPECT_TRUE(all.contains("1002"));
}

TEST_F(Submissions, CanvasNamesHoldUnderscores) {
  file("mary_ann_1001_55501_tiles.cu");
  file("team_alpha_LATE_1002_55502_part_2_tiles.cu");
  EXPECT_EQ(found().at("1001").problem, "");
  EXPECT_EQ(found().at("1002").problem, "");
  EXPECT_EQ(found("", "tiles.cu").at("1001").problem, "");
}

/// A student may be called "eve_10002", and a file "20241_tiles.cu".
TEST_F(Submissions, ACanvasNameThatMayBeSeveralStudentsIsNobodys) {
  file("ada_1002_55500_tiles.cu");
  file("eve_1002_10001_55501_tiles.cu");
  file("bob_1003_55502_20241_tiles.cu");
  for (const char* wanted : {"", "tiles.cu"}) {
    const auto all = found("", wanted);
    ASSERT_EQ(all.size(), 3U) << wanted;
    EXPECT_EQ(all.at("1002").problem, "");
    for (const char* id : {"eve_1002_10001_55501_tiles", "bob_1003_55502_20241_tiles"})
      EXPECT_NE(all.at(id).problem.find("rename it"), std::string::npos) << all.at(id).problem;
  }
}

TEST_F(Submissions, CanvasNumbersLaterVersions) {
  file("lovelaceada_1001_55501_tiles.cu");
  file("turingalan_LATE_1002_55502_tiles-1.cu");
  const auto all = found("", "tiles.cu");
  EXPECT_EQ(all.at("1001").problem, "");
  EXPECT_EQ(all.at("1002").problem, "");
}

TEST_F(Submissions, NobodyTakesAnothersIdByAName) {
  file("canvas/ada_1001_55501_tiles.cu");
  file("canvas/mallory_1002_55502_x_1001_assignsubmission_file_.cu");
  file("folders/1001/tiles.cu");
  file("folders/1002/x_1001_assignsubmission_file_/tiles.cu");
  file("folders/1003/x_1001_55501_tiles.cu");
  for (const char* place : {"canvas", "folders"}) {
    const auto all = found(place);
    ASSERT_TRUE(all.contains("1001") && all.contains("1002")) << place;
    for (const auto& [id, one] : all) EXPECT_EQ(one.problem, "") << place << " " << id;
  }
}

TEST_F(Submissions, AnIdDoesNotDependOnHowManyThereAre) {
  file("plain/ada/tiles.cu");
  EXPECT_TRUE(found("plain").contains("ada"));
  file("plain/bob.cu");
  EXPECT_TRUE(found("plain").contains("ada"));
  EXPECT_TRUE(found("plain").contains("bob"));
  file("all/tiles-submissions/tiles-ada/src/tiles.cu");
  EXPECT_TRUE(found("all").contains("ada"));
  EXPECT_TRUE(found("all/tiles-submissions").contains("ada"));
  file("moodle/Ada_4711_assignsubmission_file_/src/a.cu");
  file("moodle/Ada_4711_assignsubmission_file_/src/b.cu");
  EXPECT_TRUE(found("moodle").contains("4711"));
  file("without/Ada_4712_assignsubmission_file/a.cu");
  EXPECT_TRUE(found("without").contains("4712")) << "some versions write no last underscore";
}

TEST_F(Submissions, AFileNameIsMeantWhole) {
  file("ada/tiles.cu");
  file("ada/old_tiles.cu");
  EXPECT_EQ(found("", "tiles.cu").at("ada").problem, "");
}

TEST_F(Submissions, WhoeverHandedInNoFileThatCountsIsListed) {
  file("ada/tiles.cu");
  file("bob/tiles.cpp");
  file("cy/deep/README.md");
  fs::create_directories(folder.path("dan"));
  file("list.txt");
  const auto all = found();
  ASSERT_EQ(all.size(), 4U) << "a list of the class is no student's";
  EXPECT_NE(all.at("bob").problem.find("tiles.cpp"), std::string::npos) << all.at("bob").problem;
  EXPECT_FALSE(all.at("bob").refused);
  EXPECT_NE(all.at("cy").problem, "");
  EXPECT_NE(all.at("dan").problem, "");
  file("flat/A_1_assignsubmission_file_a.cu");
  file("flat/B_2_assignsubmission_file_b.cpp");
  file("flat/C_3_assignsubmission_file_c.txt");
  EXPECT_EQ(found("flat").size(), 3U);
}

TEST_F(Submissions, RepositoriesOfGitHubClassroom) {
  file("tiles-submissions/tiles-ada/src/tiles.cu");
  file("tiles-submissions/tiles-grace-hopper/src/tiles.cu");
  file("tiles-submissions/tiles-ada/.git/objects/tiles.cu");
  const auto all = found();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all.at("ada").problem, "");
  EXPECT_TRUE(all.contains("grace-hopper"));
  EXPECT_TRUE(found("tiles-submissions").contains("grace-hopper"));
}

TEST_F(Submissions, PlainFilesAndFolders) {
  file("flat/ada.cu");
  file("flat/alan.cu");
  EXPECT_EQ(found("flat").size(), 2U);
  EXPECT_TRUE(found("flat").contains("ada"));
  file("folders/ada/kernel.cu");
  file("folders/alan/kernel.cu");
  EXPECT_TRUE(found("folders").contains("alan"));
}

TEST_F(Submissions, SeveralFilesOfOneStudentAreForThePersonToChoose) {
  file("ada/kernel.cu");
  file("ada/old.cu");
  file("alan/kernel.cu");
  const auto all = found();
  EXPECT_NE(all.at("ada").problem.find("--file"), std::string::npos);
  EXPECT_FALSE(all.at("ada").refused);
  EXPECT_EQ(all.at("alan").problem, "");
  EXPECT_EQ(found("", "kernel.cu").at("ada").problem, "");
}

/// A folder that holds all files may be one student's, with others' names in it.
TEST_F(Submissions, NobodyTakesAnothersIdByBeingTheOnlyOne) {
  file("late/ada/bob.cu");
  file("late/ada/x.cu");
  const auto two = found("late");
  ASSERT_EQ(two.size(), 1U);
  EXPECT_NE(two.at("ada").problem.find("2 files"), std::string::npos) << two.at("ada").problem;
  file("deep/ada/eve/e.cu");
  file("deep/ada/bob/b.cu");
  EXPECT_EQ(found("deep").size(), 1U);
  EXPECT_TRUE(found("deep").contains("ada"));
}

TEST_F(Submissions, LinksAreNotFollowed) {
  file("secret.txt", "the solution");
  file("class/alan/kernel.cu");
  fs::create_directories(folder.path("class/eve"));
  fs::create_symlink(folder.path("secret.txt"), folder.path("class/eve/kernel.cu"));
  file("elsewhere/mallory/kernel.cu");
  fs::create_directory_symlink(folder.path("elsewhere"), folder.path("class/linked"));
  const auto all = found("class");
  ASSERT_EQ(all.size(), 2U) << "a linked folder is no student's";
  EXPECT_TRUE(all.at("eve").refused);
  EXPECT_NE(all.at("eve").problem.find("link"), std::string::npos);
}

TEST_F(Submissions, ANameInAFolderIsTheStudentsOwn) {
  file("1001/t.cu");
  file("1002/x_1001_5_t.cu");
  const auto all = found();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all.at("1001").problem, "");
  EXPECT_EQ(all.at("1002").problem, "");
}

TEST_F(Submissions, ALinkThatIsNamedIsNotFollowedEither) {
  file("solution.cu");
  fs::create_symlink(folder.path("solution.cu"), folder.path("eve.cu"));
  EXPECT_TRUE(found("eve.cu").at("eve").refused);
}

TEST_F(Submissions, OneStudentsManyFilesKeepNoOtherFromBeingFound) {
  constexpr int kMany = 20'001;
  file("class/ada/kernel.cu");
  file("class/zoe/kernel.cu");
  fs::create_directories(folder.path("class/eve"));
  const std::string from = folder.path("class/ada/kernel.cu");
  for (int i = 0; i < kMany; ++i)
    fs::create_hard_link(from, folder.path("class/eve/" + std::to_string(i) + ".cu"));
  const auto all = found("class");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all.at("ada").problem, "");
  EXPECT_EQ(all.at("zoe").problem, "");
  EXPECT_NE(all.at("eve").problem.find("files of this student"), std::string::npos);
}

/// However it is called: GitHub Classroom's own folders end so.
TEST_F(Submissions, AStudentsFolderIsNoClassroomsByItsNameAlone) {
  constexpr int kMany = 20'001;
  for (const std::string place : {"class", "tiles-submissions"}) {
    const std::string prefix = place == "class" ? "" : "tiles-";
    file(place + "/" + prefix + "ada/kernel.cu");
    const std::string eve = place + "/" + prefix + "eve-submissions";
    fs::create_directories(folder.path(eve));
    const std::string from = folder.path(place + "/" + prefix + "ada/kernel.cu");
    for (int i = 0; i < kMany; ++i)
      fs::create_hard_link(from, folder.path(eve + "/" + std::to_string(i) + ".cu"));
    const auto all = found(place);
    ASSERT_TRUE(all.contains("ada")) << place;
    EXPECT_EQ(all.at("ada").problem, "");
    EXPECT_NE(all.at("eve-submissions").problem.find("files of this student"), std::string::npos);
  }
}

/// A folder of GitHub Classroom's is no student's, whatever lies beside it.
TEST_F(Submissions, AClassBesideAnotherFolderIsFoundWhole) {
  for (int i = 0; i < 1000; ++i)
    file("tiles-submissions/tiles-ada/lib/x" + std::to_string(i) + ".cu");
  file("tiles-submissions/tiles-zed/tiles.cu");
  folder.write("readme.txt", "Notes.");
  std::filesystem::create_directories(folder.path("notes"));
  const auto all = found();
  EXPECT_TRUE(all.contains("ada"));
  EXPECT_TRUE(all.contains("zed"));
}

TEST_F(Submissions, AFileThatLiesTooDeepIsNotForgotten) {
  file("ada/kernel.cu");
  file("ada/a/b/c/d/e/f/g/h/i/other.cu");
  file("zoe/a/b/c/d/e/f/g/h/i/kernel.cu");
  const auto all = found();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all.at("ada").problem, "");
  EXPECT_NE(all.at("zoe").problem.find("levels of folders"), std::string::npos);
}

TEST_F(Submissions, WhatBeginsWithADotIsLeftOutAndNamed) {
  file("plain/ada/tiles.cu");
  file("plain/.hidden/tiles.cu");
  file("plain/.../tiles.cu");
  file("plain/.eve.cu");
  file("plain/ada/.old/tiles.cu");
  file("plain/.note");
  for (const char* name : {".DS_Store", ".git/a", ".github/a.cu", "._ada.cu", ".gitignore",
                           "__MACOSX/ada/._tiles.cu", ".vscode/settings.json"})
    file("plain/" + std::string(name));
  file("all/tiles-submissions/tiles-ada/tiles.cu");
  file("all/tiles-submissions/.zoe/tiles.cu");
  file("none/.hidden/tiles.cu");
  const auto leftOut = [&](const std::string& place) {
    const auto submissions = findSubmissions({folder.path(place)}, "");
    EXPECT_TRUE(submissions.ok() && submissions->all.size() == 1) << place;
    return submissions ? submissions->leftOut : std::vector<std::string>();
  };
  EXPECT_EQ(leftOut("plain"),
            (std::vector<std::string>{folder.path("plain/..."), folder.path("plain/.eve.cu"),
                                      folder.path("plain/.hidden")}));
  EXPECT_EQ(leftOut("all"), std::vector<std::string>{folder.path("all/tiles-submissions/.zoe")});
  const auto none = findSubmissions({folder.path("none")}, "");
  ASSERT_FALSE(none.ok());
  EXPECT_NE(none.error().message.find("none/.hidden"), std::string::npos) << none.error().message;
}

TEST_F(Submissions, BesidePlainFilesOthersAreNamed) {
  file("ada.cu");
  file("bob.CU");
  file("eve.cu.txt");
  file("moodle/Bob Burns_4711_assignsubmission_file_tiles.txt");
  file("moodle/Ann Arbor_4712_assignsubmission_file_tiles.cu");
  fs::create_directory_symlink("moodle", folder.path("zed"));
  const auto all = findSubmissions({folder.path()}, "");
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->uncounted,
            (std::vector<std::string>{folder.path("bob.CU"), folder.path("eve.cu.txt"),
                                      folder.path("zed")}));
  const auto moodle = findSubmissions({folder.path("moodle")}, "");
  ASSERT_TRUE(moodle.ok());
  EXPECT_EQ(moodle->all.size(), 2U);
  EXPECT_TRUE(moodle->uncounted.empty()) << "it has a line of its own";
}

TEST_F(Submissions, NothingThereIsSaid) {
  const auto nowhere = findSubmissions({folder.path("nowhere")}, "");
  ASSERT_FALSE(nowhere.ok());
  EXPECT_EQ(nowhere.error().kind, ErrorKind::request);
  const auto empty = findSubmissions({folder.path("")}, "");
  ASSERT_FALSE(empty.ok());
  EXPECT_NE(empty.error().message.find(".cu"), std::string::npos);
}

/// While others are graded, a student may change what was found.
TEST_F(Submissions, AFolderThatHasBecomeALinkIsNotFollowed) {
  file("teacher/solution.cu");
  file("class/eve/solution.cu");
  const Submission eve = found("class").at("eve");
  ASSERT_EQ(eve.files.size(), 1U);
  EXPECT_TRUE(readSubmission(eve.files.front()).ok());
  fs::rename(folder.path("class/eve"), folder.path("class/.eve"));
  fs::create_directory_symlink(folder.path("teacher"), folder.path("class/eve"));
  const auto text = readSubmission(eve.files.front());
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().kind, ErrorKind::work) << "it is not judged";
  EXPECT_NE(text.error().message.find("is a link"), std::string::npos) << text.error().message;
  EXPECT_EQ(hashOf(eve), "");
}

TEST_F(Submissions, OnlyTextOfAUsualLengthIsRead) {
  ASSERT_EQ(::mkfifo(folder.path("pipe.cu").c_str(), 0600), 0);
  file("zero.cu", std::string("a\0b", 3));
  file("long.cu", std::string(size_t{1} << 20, ' '));
  for (const char* name : {"pipe.cu", "zero.cu", "long.cu"}) {
    const auto text = readSubmission({folder.path(), name});
    ASSERT_FALSE(text.ok()) << name;
    EXPECT_EQ(text.error().kind, ErrorKind::request) << name;
  }
  const auto gone = readSubmission({folder.path(), "gone.cu"});
  ASSERT_FALSE(gone.ok());
  EXPECT_EQ(gone.error().kind, ErrorKind::work);
}

}  // namespace submission_test
}  // namespace tilestep::grade
