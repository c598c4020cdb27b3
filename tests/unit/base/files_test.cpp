// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <vector>

#include "support/environment.h"
#include "support/own_process.h"
#include "support/results.h"
#include "support/service.h"

namespace tilestep::files_test {

const support::OwnProcess ownProcess{"Files"};

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  const support::TemporaryFolder own_{"files"};
  const fs::path folder_ = own_.path();
};

TEST_F(Files, KeepAllBytesExceptAByteOrderMark) {
  const std::string mark = "\xef\xbb\xbf";
  for (const std::string& text : {std::string(), std::string("a\0b\r\n\xff", 6), mark}) {
    for (const std::string& before : {std::string(), mark}) {
      if (before.empty() && text == mark) continue;
      ASSERT_TRUE(writeFileAtomically(folder_ / "x.bin", before + text));
      EXPECT_EQ(readTextFile(folder_ / "x.bin").value(), text);
    }
  }
}

TEST_F(Files, ErrorsNameTheFile) {
  EXPECT_TRUE(fails(readTextFile(folder_ / "none.cu"), ErrorKind::request, "none.cu"));
  EXPECT_FALSE(readTextFile(folder_)) << "a folder is not text";
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(readTextFile(folder_ / "pipe")) << "a pipe without a writer would block";
  ASSERT_TRUE(writeFileAtomically(folder_ / "big", "12345"));
  EXPECT_TRUE(readTextFile(folder_ / "big", 5));
  EXPECT_TRUE(fails(readTextFile(folder_ / "big", 4), "at most 4"));
  EXPECT_TRUE(fails(writeFileAtomically(folder_ / "big" / "below.txt", "y"), ErrorKind::request,
                    "below.txt"));
}

TEST_F(Files, WritingLeavesNothingBesideTheFile) {
  const auto countIn = [](const fs::path& folder) {
    return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
  };
  const fs::path path = folder_ / "a" / "b" / "state.json";
  for (const char* text : {"one", "two"}) ASSERT_TRUE(writeFileAtomically(path, text));
  EXPECT_EQ(readTextFile(path).value(), "two");
  EXPECT_EQ(countIn(path.parent_path()), 1);
  fs::create_directories(folder_ / "taken" / "inside");
  EXPECT_FALSE(writeFileAtomically(folder_ / "taken", "y"));
  EXPECT_EQ(countIn(folder_), 2);
}

TEST_F(Files, HomeComesFromTheEnvironmentOrTheProgramsPath) {
  fs::create_directories(folder_ / "kernels");
  {
    const support::Environment home("TILESTEP_HOME", folder_.c_str());
    EXPECT_TRUE(fails(findHome(), "TILESTEP_HOME")) << "there is no shaders folder yet";
    fs::create_directories(folder_ / "shaders");
    EXPECT_EQ(findHome().value(), folder_);
  }
  for (const char* none : {static_cast<const char*>(nullptr), ""}) {
    const support::Environment home("TILESTEP_HOME", none);
    const fs::path found = findHome().value();
    EXPECT_TRUE(found.is_absolute());
    EXPECT_TRUE(fs::is_directory(found / "kernels"));
  }
}

TEST_F(Files, UserFoldersFollowXdgAndAreNeverRelative) {
  const struct {
    const char *home, *variable;
    fs::path cache, state, data;
  } cases[] = {
      {"/home/somebody", "/x", "/x/tilestep", "/x/tilestep", "/x/tilestep"},
      {"/home/somebody", nullptr, "/home/somebody/.cache/tilestep",
       "/home/somebody/.local/state/tilestep", "/home/somebody/.local/share/tilestep"},
      {nullptr, nullptr, "", "", ""},
      {"", nullptr, "", "", ""},
      {"somewhere", nullptr, "", "", ""},
  };
  for (const auto& each : cases) {
    for (const char* relative : {"", "here", "./here", "../here"}) {
      const support::Environment home("HOME", each.home);
      const char* variable = each.variable ? each.variable : relative;
      const support::Environment cache("XDG_CACHE_HOME", variable);
      const support::Environment state("XDG_STATE_HOME", variable);
      const support::Environment data("XDG_DATA_HOME", variable);
      EXPECT_EQ(cacheFolder(), each.cache);
      EXPECT_EQ(stateFolder(), each.state);
      EXPECT_EQ(dataFolder(), each.data);
    }
  }
}

TEST_F(Files, OnlyReplaceFileReplacesLinks) {
  const fs::path file = folder_ / "file.csv", link = folder_ / "link.csv";
  const fs::perms ours = fs::perms::owner_read | fs::perms::owner_write;
  ASSERT_TRUE(writeFileAtomically(file, "old"));
  fs::permissions(file, ours);
  fs::create_symlink("file.csv", link);
  ASSERT_TRUE(writeFileAtomically(link, "new"));
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(readTextFile(link).value(), "new");
  EXPECT_EQ(readTextFileBelow(folder_, "file.csv", 100).value(), "new");
  EXPECT_TRUE(fails(readTextFileBelow(folder_, "link.csv", 100), "is a link"));
  EXPECT_EQ(fs::status(file).permissions(), ours);
  // A link at a predictable name for the new file.
  const fs::path result = folder_ / "result.csv";
  fs::create_symlink(file, result.string() + ".new-" + std::to_string(::gettid()));
  ASSERT_TRUE(writeFileAtomically(result, "result"));
  EXPECT_FALSE(fs::is_symlink(result));
  EXPECT_EQ(readTextFile(result).value(), "result");
  ASSERT_EQ(::mkfifo((folder_ / "pipe.html").c_str(), 0600), 0);
  for (const char* name : {"link.csv", "pipe.html", "new.html"}) {
    ASSERT_TRUE(replaceFile(folder_ / name, "page").ok()) << name;
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(folder_ / name))) << name;
    EXPECT_EQ(readTextFile(folder_ / name).value(), "page") << name;
  }
  EXPECT_EQ(readTextFile(file).value(), "new");
}

TEST_F(Files, AFullDeviceIsAWorkErrorAndStaysADevice) {
  const Status written = writeFileAtomically("/dev/full", "text");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::work);
  EXPECT_EQ(written.error().message, "cannot write /dev/full: No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(Files, AFolderThatOthersMayWriteToIsRefused) {
  const fs::path folder = folder_ / "own/cache";
  EXPECT_TRUE(makeOwnFolder(folder));
  EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all);
  fs::permissions(folder, fs::perms::others_write, fs::perm_options::add);
  EXPECT_FALSE(makeOwnFolder(folder));
  EXPECT_FALSE(makeOwnFolder("/proc/none"));
}

TEST_F(Files, AreListedByExtensionInOrder) {
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

}  // namespace tilestep::files_test
