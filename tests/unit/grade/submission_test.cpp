// SPDX-License-Identifier: Apache-2.0
#include "grade/submission.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "support/results.h"
#include "support/service.h"

namespace tilestep::grade::submission_test {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

class Submissions : public testing::Test {
 protected:
  support::TemporaryFolder folder{"submissions"};

  void file(const std::string& path, const std::string& text = "kernel") const {
    fs::create_directories(fs::path(folder.path(path)).parent_path());
    folder.write(path, text);
  }
  [[nodiscard]] Result<grade::Submissions> search(const Texts& places,
                                                  const std::string& name = "") const {
    Texts paths;
    for (const std::string& place : places) paths.push_back(folder.path(place));
    return findSubmissions(paths, name);
  }
  [[nodiscard]] std::map<std::string, Submission> found(const std::string& place = "",
                                                        const std::string& name = "") const {
    const auto submissions = search({place}, name);
    EXPECT_TRUE(submissions.ok()) << (submissions ? "" : submissions.error().message);
    std::map<std::string, Submission> byId;
    if (submissions)
      for (const Submission& one : submissions->all) byId[one.id] = one;
    return byId;
  }
  void expectRefusal(const Texts& places, const std::string& part) const {
    EXPECT_TRUE(fails(search(places), ErrorKind::request, part)) << part;
  }
};

TEST_F(Submissions, EachDocumentedLayoutGivesItsIds) {
  struct Case {
    Texts files, ids;
  };
  const std::vector<Case> cases{
      {{"ada.cu", "alan.cu"}, {"ada", "alan"}},
      {{"ada/tiles.cu", "alan/src/mine.cu", "bob.cu"}, {"ada", "alan", "bob"}},
      {{"Ada Lovelace_4711_assignsubmission_file_/src/tiles.cu",
        "Ada Lovelace_4711_assignsubmission_onlinetext_/onlinetext.html",
        "Alan Turing_4712_assignsubmission_file/mine.cu"},
       {"4711", "4712"}},
      {{"Ada_4711_assignsubmission_file_tiles.cu", "Al_4712_assignsubmission_file_ex_3_2_tiles.cu"},
       {"4711", "4712"}},
      {{"lovelaceada_1001_55501_tiles.cu", "mary_ann_LATE_1002_55502_part_2_tiles-1.cu",
        "dan_ex_3_2_tiles.cu"},
       {"1001", "1002", "dan_ex_3_2_tiles"}},
  };
  for (size_t i = 0; i < cases.size(); ++i) {
    const std::string place = std::to_string(i);
    for (const std::string& name : cases[i].files) file(place + "/" + name);
    const auto all = valueOrThrow(search({place}));
    Texts ids;
    for (const Submission& one : all.all) {
      ids.push_back(one.id);
      EXPECT_EQ(one.problem, "") << one.id;
    }
    EXPECT_EQ(ids, cases[i].ids);
    EXPECT_TRUE(all.unattributed.empty());
  }
}

TEST_F(Submissions, RepositoriesOfGitHubClassroomHaveThePrefixOfTheirFolder) {
  file("tiles-submissions/tiles-ada/src/tiles.cu");
  file("tiles-submissions/tiles-grace-hopper/src/tiles.cu");
  file("tiles-submissions/tiles-ada/.git/objects/tiles.cu");
  const auto all = found("tiles-submissions");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all.at("ada").problem, "");
  EXPECT_TRUE(all.contains("grace-hopper"));
  EXPECT_TRUE(has(found().at("tiles-submissions").problem, "the folder that holds"));
}

TEST_F(Submissions, OneStudentsFolderIsNotAClass) {
  file("class/ada/tiles.cu");
  file("class/eve/bob.cu");
  file("Eve_4712_assignsubmission_file_/bob.cu");
  file("tiles-submissions/tiles-ada/bob/tiles.cu");
  expectRefusal({"class/ada", "class/eve"}, "name the folder that holds them");
  expectRefusal({"Eve_4712_assignsubmission_file_"}, "is one student's folder");
  expectRefusal({"tiles-submissions/tiles-ada/"}, "is one student's folder");
  EXPECT_TRUE(search({"class/ada/tiles.cu", "class/eve/bob.cu"}).ok()) << "files are allowed";
}

TEST_F(Submissions, AFolderWithoutSubmissionsIsRefusedWithTheLayouts) {
  expectRefusal({"nowhere"}, "there is no file or folder");
  file("none/.hidden/tiles.cu");
  for (const char* part : {"Moodle's NAME_ID_assignsubmission_file_/FILE.cu", "none/.hidden"})
    expectRefusal({"none"}, part);
}

TEST_F(Submissions, ANameCannotClaimAnothersId) {
  // In folders, only the first name counts, even if deeper names imitate a layout.
  file("1001/tiles.cu");
  file("1002/x_1001_assignsubmission_file_/tiles.cu");
  file("1003/x_1001_55501_tiles.cu");
  file("Eve_1001_assignsubmission_file_x_4711_assignsubmission_file_/tiles.cu");
  // In file names, a second number is ambiguous: "eve_1002" may be a name.
  const Texts unclear{"eve_1002_10001_55501_tiles", "bob_1003_55502_20241_tiles",
                      "Al_4712_assignsubmission_file_x_4711_assignsubmission_file_tiles",
                      "ann_1_47130_assignsubmission_file_tiles"};
  for (const std::string& name : unclear) file(name + ".cu");
  for (const char* wanted : {"", "tiles.cu"}) {
    const auto all = found("", wanted);
    ASSERT_EQ(all.size(), 8U) << wanted;
    for (const char* id : {"1001", "1002", "1003", "4711"}) EXPECT_EQ(all.at(id).problem, "") << id;
    for (const std::string& id : unclear) EXPECT_TRUE(has(all.at(id).problem, "rename it")) << id;
  }
}

TEST_F(Submissions, FileMatchesWholeNames) {
  file("ada/tiles.cu");
  file("ada/old_tiles.cu");
  file("Bob Burns_4711_assignsubmission_file_tiles.cu");
  file("Bob Burns_4711_assignsubmission_file_old_tiles.cu");
  file("ann_1001_55501_tiles-2.cu");
  file("ann_1001_55501_old_tiles.cu");
  for (const auto& [id, one] : found("", "tiles.cu")) EXPECT_EQ(one.problem, "") << id;
  for (const auto& [id, one] : found()) EXPECT_TRUE(has(one.problem, "--file")) << id;
}

TEST_F(Submissions, StudentsWithoutAFileThatCountsAreListed) {
  file("ada/tiles.cu");
  file("bob/tiles.cpp");
  file("zoe/a/b/c/d/e/f/g/h/i/kernel.cu");
  fs::create_directories(folder.path("dan"));
  file("B_2_assignsubmission_file_b.cpp");
  const std::map<std::string, std::string> problems{{"bob", "tiles.cpp"},
                                                    {"zoe", "levels of folders"},
                                                    {"dan", "There is no file that ends in .cu."},
                                                    {"2", "b.cpp"}};
  const auto all = found();
  ASSERT_EQ(all.size(), 5U);
  for (const auto& [id, part] : problems) EXPECT_TRUE(has(all.at(id).problem, part));
}

TEST_F(Submissions, OtherFilesAndHiddenFoldersAreReported) {
  for (const char* name : {"ada.cu", "bob.CU", "eve.cu.txt", ".eve.cu", ".old/tiles.cu", ".note",
                           "._ada.cu", ".git/a.cu", "__MACOSX/ada/._tiles.cu", "zoe/.old/tiles.cu"})
    file(std::string("class/") + name);
  fs::create_directory_symlink("zoe", folder.path("class/linked"));
  const auto all = search({"class"});
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->all.size(), 2U);
  EXPECT_EQ(all->unattributed, (Texts{folder.path("class/.eve.cu"), folder.path("class/.old"),
                                      folder.path("class/bob.CU"), folder.path("class/eve.cu.txt"),
                                      folder.path("class/linked")}));
}

TEST_F(Submissions, LinksAreNotFollowed) {
  file("solution.cu");
  file("class/alan/kernel.cu");
  fs::create_directories(folder.path("class/eve"));
  for (const char* link : {"class/eve/kernel.cu", "class/alan/other.cu", "mallory.cu"})
    fs::create_symlink(folder.path("solution.cu"), folder.path(link));
  const auto all = found("class");
  EXPECT_EQ(all.at("alan").problem, "");
  EXPECT_TRUE(all.at("eve").refused);
  EXPECT_TRUE(has(all.at("eve").problem, "link"));
  EXPECT_TRUE(all.at("eve").files.empty());
  EXPECT_TRUE(found("mallory.cu").at("mallory").refused) << "nor if it is named";
}

TEST_F(Submissions, ManyFilesOfOneStudentHideNoOtherStudent) {
  for (const char* name : {"ada", "eve-submissions", "zoe"})
    file(std::string("class/") + name + "/kernel.cu");
  constexpr int kMany = 2'000;
  for (int i = 0; i < kMany; ++i)
    fs::create_hard_link(folder.path("class/ada/kernel.cu"),
                         folder.path("class/eve-submissions/" + std::to_string(i) + ".cu"));
  const auto all = found("class");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all.at("ada").problem, "");
  EXPECT_EQ(all.at("zoe").problem, "");
  EXPECT_TRUE(has(all.at("eve-submissions").problem, "1000 files of this student"));
}

/// A student may change a file while other submissions are graded.
TEST_F(Submissions, AFolderThatHasBecomeALinkIsNotFollowed) {
  file("teacher/solution.cu");
  file("class/eve/solution.cu");
  const Submission eve = found("class").at("eve");
  ASSERT_EQ(eve.files.size(), 1U);
  EXPECT_TRUE(readSubmission(eve.files.front()).ok());
  fs::rename(folder.path("class/eve"), folder.path("class/.eve"));
  fs::create_directory_symlink(folder.path("teacher"), folder.path("class/eve"));
  EXPECT_TRUE(fails(readSubmission(eve.files.front()), ErrorKind::work, "is a link"));
  EXPECT_EQ(hashOf(eve), "");
}

TEST_F(Submissions, OnlyRegularTextFilesUpToALimitAreRead) {
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

}  // namespace tilestep::grade::submission_test
