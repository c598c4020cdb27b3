// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <vector>

#include "support/environment.h"
#include "support/has.h"
#include "support/own_process.h"

namespace tilestep {
namespace files_test {

const support::OwnProcess ownProcess{"Files"};

namespace fs = std::filesystem;

std::string textOf(const Result<std::string>& text) {
  return text ? *text : "no text: " + text.error().message;
}

/// A folder of its own for each test, removed at the end.
class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "tilestep-files-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  fs::path folder_;
};

TEST_F(Files, ReadsWhatWasWrittenWithEveryByte) {
  const std::string content("a\0b\r\n\xff", 6);
  ASSERT_TRUE(writeFileAtomically(folder_ / "x.bin", content));
  const auto read = readTextFile(folder_ / "x.bin");
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, content);
}

TEST_F(Files, AByteOrderMarkIsNoPartOfTheText) {
  const std::string mark = "\xef\xbb\xbf";
  for (const std::string text : {"", "text", "\xef\xbb\xbf"}) {
    ASSERT_TRUE(writeFileAtomically(folder_ / "x.txt", mark + text));
    const auto read = readTextFile(folder_ / "x.txt");
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, text) << "one mark alone is left out";
  }
}

TEST_F(Files, AFullDeviceIsAnErrorOfTheWorkAndStaysADevice) {
  const Status written = writeFileAtomically("/dev/full", "text");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::work);
  EXPECT_EQ(written.error().message, "cannot write /dev/full: No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(Files, AFolderThatIsAFileIsAnErrorOfTheRequest) {
  ASSERT_TRUE(writeFileAtomically(folder_ / "file", ""));
  const Status written = writeFileAtomically(folder_ / "file" / "x", "text");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::request);
}

TEST_F(Files, ReadsAnEmptyFile) {
  ASSERT_TRUE(writeFileAtomically(folder_ / "empty", ""));
  const auto read = readTextFile(folder_ / "empty");
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, "");
}

TEST_F(Files, RefusesByName) {
  const auto missing = readTextFile(folder_ / "none.cu");
  EXPECT_TRUE(fails(missing, "none.cu"));
  EXPECT_EQ(missing.error().kind, ErrorKind::request);
  EXPECT_FALSE(readTextFile(folder_)) << "a folder is not text";
  ASSERT_TRUE(writeFileAtomically(folder_ / "big", "12345"));
  EXPECT_TRUE(readTextFile(folder_ / "big", 5));
  const auto big = readTextFile(folder_ / "big", 4);
  EXPECT_TRUE(fails(big, "at most 4"));
}

TEST_F(Files, WritingMakesFoldersAndLeavesNothingBeside) {
  const fs::path path = folder_ / "a" / "b" / "state.json";
  ASSERT_TRUE(writeFileAtomically(path, "one"));
  ASSERT_TRUE(writeFileAtomically(path, "two"));
  EXPECT_EQ(*readTextFile(path), "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(path.parent_path()), fs::directory_iterator()), 1);
}

TEST_F(Files, WritingWhereItCannotIsAnErrorThatNamesTheFile) {
  ASSERT_TRUE(writeFileAtomically(folder_ / "file", "x"));
  const Status status = writeFileAtomically(folder_ / "file" / "below.txt", "y");
  EXPECT_TRUE(fails(status, "below.txt"));
  // A folder stands where the file should be: what was half written must go again.
  fs::create_directories(folder_ / "taken" / "inside");
  EXPECT_FALSE(writeFileAtomically(folder_ / "taken", "y"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 2);
}

TEST_F(Files, HomeFromTheEnvironment) {
  fs::create_directories(folder_ / "kernels");
  {
    const support::Environment home("TILESTEP_HOME", folder_.c_str());
    const auto found = findHome();
    ASSERT_FALSE(found) << "there are no shaders yet";
    EXPECT_TRUE(has(found.error().message, "TILESTEP_HOME"));
  }
  fs::create_directories(folder_ / "shaders");
  const support::Environment home("TILESTEP_HOME", folder_.c_str());
  const auto found = findHome();
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, folder_);
}

TEST_F(Files, HomeAboveTheProgramWithoutTheEnvironment) {
  const support::Environment none("TILESTEP_HOME", nullptr);
  const auto found = findHome();
  ASSERT_TRUE(found);
  // This program is built below the source tree, or is started from it.
  EXPECT_TRUE(fs::is_directory(*found / "kernels"));
}

TEST_F(Files, AReplacedFileKeepsItsLinkAndItsPermissions) {
  const fs::path file = folder_ / "file.csv", link = folder_ / "link.csv";
  ASSERT_TRUE(writeFileAtomically(file, "old"));
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("file.csv", link);
  ASSERT_TRUE(writeFileAtomically(link, "new"));
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(*readTextFile(file), "new");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(Files, HomeAsAnEmptyVariableIsAsNone) {
  const support::Environment none("TILESTEP_HOME", "");
  const auto found = findHome();
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->is_absolute());
}

TEST_F(Files, CacheFolderFollowsTheConvention) {
  {
    const support::Environment cache("XDG_CACHE_HOME", "/somewhere/cache");
    EXPECT_EQ(cacheFolder(), fs::path("/somewhere/cache/tilestep"));
  }
  const support::Environment cache("XDG_CACHE_HOME", "");
  {
    const support::Environment home("HOME", "/home/somebody");
    EXPECT_EQ(cacheFolder(), fs::path("/home/somebody/.cache/tilestep"));
  }
  const support::Environment home("HOME", nullptr);
  EXPECT_EQ(cacheFolder(), fs::path()) << "not where anybody could have made it before";
}

TEST_F(Files, AFolderThatOthersMayWriteToIsNotOnesOwn) {
  const fs::path folder = folder_ / "own/cache";
  EXPECT_TRUE(makeOwnFolder(folder));
  EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all);
  fs::permissions(folder, fs::perms::others_write, fs::perm_options::add);
  EXPECT_FALSE(makeOwnFolder(folder));
  EXPECT_FALSE(makeOwnFolder("/proc/none"));
}

TEST_F(Files, ALinkThatWaitsBesideAFileIsNotFollowed) {
  const fs::path victim = folder_ / "victim", file = folder_ / "result.csv";
  ASSERT_TRUE(writeFileAtomically(victim, "precious"));
  fs::create_symlink(victim, file.string() + ".new-" + std::to_string(::gettid()));
  ASSERT_TRUE(writeFileAtomically(file, "new"));
  EXPECT_EQ(readTextFile(victim).value(), "precious");
  EXPECT_FALSE(fs::is_symlink(file));
  EXPECT_EQ(readTextFile(file).value(), "new");
}

TEST_F(Files, ALinkIsReadOnlyWhereItMayBeOne) {
  std::ofstream(folder_ / "there.txt") << "text";
  fs::create_symlink("there.txt", folder_ / "link.txt");
  EXPECT_EQ(textOf(readTextFile(folder_ / "link.txt")), "text");
  const auto refused = readTextFileBelow(folder_, "link.txt", 100);
  EXPECT_TRUE(fails(refused, "is a link"));
  EXPECT_EQ(textOf(readTextFileBelow(folder_, "there.txt", 100)), "text");
}

TEST_F(Files, APipeWithoutAWriterIsNotWaitedFor) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(readTextFile(folder_ / "pipe").ok());
}

TEST_F(Files, LinksAndPipesInAFolderOfOursAreReplaced) {
  std::ofstream(folder_ / "victim.txt") << "kept";
  fs::create_symlink("victim.txt", folder_ / "page.html");
  ASSERT_EQ(::mkfifo((folder_ / "pipe.html").c_str(), 0600), 0);
  for (const char* name : {"page.html", "pipe.html", "new.html"}) {
    ASSERT_TRUE(replaceFile(folder_ / name, "page").ok()) << name;
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(folder_ / name))) << name;
    EXPECT_EQ(textOf(readTextFile(folder_ / name)), "page") << name;
  }
  EXPECT_EQ(textOf(readTextFile(folder_ / "victim.txt")), "kept");
}

TEST_F(Files, TheUsersFoldersAreNeverBelowTheWorkingFolder) {
  const support::Environment home("HOME", "/home/somebody");
  for (const char* relative : {"", "here", "./here", "../here"}) {
    const support::Environment cache("XDG_CACHE_HOME", relative);
    const support::Environment state("XDG_STATE_HOME", relative);
    const support::Environment data("XDG_DATA_HOME", relative);
    EXPECT_EQ(cacheFolder(), fs::path("/home/somebody/.cache/tilestep"));
    EXPECT_EQ(stateFolder(), fs::path("/home/somebody/.local/state/tilestep"));
    EXPECT_EQ(dataFolder(), fs::path("/home/somebody/.local/share/tilestep"));
  }
  const support::Environment state("XDG_STATE_HOME", "/state");
  const support::Environment data("XDG_DATA_HOME", "/data");
  EXPECT_EQ(stateFolder(), fs::path("/state/tilestep"));
  EXPECT_EQ(dataFolder(), fs::path("/data/tilestep"));
}

TEST_F(Files, WithoutAHomeThereIsNoDataFolder) {
  const support::Environment data("XDG_DATA_HOME", nullptr);
  for (const char* value : {static_cast<const char*>(nullptr), "", "somewhere"}) {
    const support::Environment home("HOME", value);
    EXPECT_EQ(dataFolder(), fs::path());
    EXPECT_EQ(stateFolder(), fs::path());
  }
}

TEST_F(Files, OfAFolderAreListedByTheirEndingAndInOrder) {
  const fs::path folder = folder_ / "listed";
  fs::create_directories(folder / "below.md");
  for (const char* name : {"b.md", "a.md", "c.mdx", "md", ".md"})
    std::ofstream(folder / name) << name;
  EXPECT_EQ(filesIn(folder, ".md"),
            (std::vector<fs::path>{folder / "a.md", folder / "b.md", folder / "below.md"}));
  EXPECT_TRUE(filesIn(folder / "nowhere", ".md").empty());
}

TEST_F(Files, ProgramPathIsThisProgram) {
  EXPECT_EQ(programPath().filename(), "test_unit");
  EXPECT_TRUE(fs::is_regular_file(programPath()));
}

}  // namespace files_test
}  // namespace tilestep
