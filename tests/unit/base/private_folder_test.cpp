// SPDX-License-Identifier: Apache-2.0
#include "base/private_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/files.h"
#include "support/environment.h"
#include "support/own_process.h"

namespace tilestep::private_folder_test {

const support::OwnProcess ownProcess{"LeftBehind"};

namespace fs = std::filesystem;

void age(const fs::path& folder) {
  const timespec old[2] = {{.tv_sec = 1, .tv_nsec = 0}, {.tv_sec = 1, .tv_nsec = 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, folder.c_str(), old, 0), 0);
}

/// A folder such as a killed process leaves behind.
class LeftBehind : public testing::Test {
 protected:
  LeftBehind() {
    const PrivateFolder made;
    text_ = readTextFile(made.path() / kMark).value();
    std::string pattern = (fs::temp_directory_path() / "tilestep-private-XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr) path = pattern;
    write(kMark, text_);
    write("kernel.cu", "");
  }
  ~LeftBehind() override {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
  }
  [[nodiscard]] bool isSwept() const {
    age(path);
    sweepPrivateFolders();
    return !fs::exists(path);
  }
  /// Whether a sweep keeps the folder and its contents.
  [[nodiscard]] bool staysWhole() const { return !isSwept() && fs::exists(path / "kernel.cu"); }

  static constexpr const char* kMark = ".tilestep-private";
  fs::path path;
  std::string text_;
};

TEST_F(LeftBehind, IsSweptWhenUnused) {
  const PrivateFolder used;
  sweepPrivateFolders();
  EXPECT_TRUE(fs::exists(path)) << "it may be new";
  for (const char* name : {"kernel.ptx", "kernel.d", "kernel-12ab.ptx.tmp", "probe.cu"})
    write(name, "x");
  age(used.path());
  EXPECT_TRUE(isSwept());
  EXPECT_TRUE(fs::exists(used.path()));
}

TEST_F(LeftBehind, StaysWithoutOurMark) {
  fs::remove(path / kMark);
  EXPECT_TRUE(staysWhole()) << "no mark";
  write(kMark, text_ + "more");
  EXPECT_TRUE(staysWhole()) << "a mark with other contents";
  fs::remove(path / kMark);
  const PrivateFolder other;
  fs::create_symlink(other.path() / kMark, path / kMark);
  EXPECT_TRUE(staysWhole()) << "a link to a mark";
}

TEST_F(LeftBehind, StaysWithForeignFiles) {
  write("notes.txt", "mine");
  EXPECT_TRUE(staysWhole());
  fs::remove(path / "notes.txt");
  fs::create_directory(path / "kernel.d");
  EXPECT_TRUE(staysWhole()) << "a folder";
  fs::remove(path / "kernel.d");
  fs::create_symlink("/nonexistent", path / "kernel.d");
  EXPECT_TRUE(staysWhole()) << "a link";
  fs::remove(path / "kernel.d");
  fs::permissions(path, fs::perms::owner_all | fs::perms::group_read);
  EXPECT_TRUE(staysWhole()) << "other users can read it";
  fs::permissions(path, fs::perms::owner_all);
  EXPECT_TRUE(isSwept());
}

TEST(PrivateFolder, SweepKeepsFoldersWithSimilarNames) {
  const PrivateFolder temporary;
  const support::Environment variable("TMPDIR", temporary.path().c_str());
  for (const char* name : {"tilestep-master", "tilestep-private-master"}) {
    const fs::path clone = temporary.path() / name;
    fs::create_directories(clone / ".git");
    std::ofstream(clone / "kernel.cu") << "mine";
    fs::permissions(clone, fs::perms::owner_all);
    age(clone);
    sweepPrivateFolders();
    EXPECT_TRUE(fs::exists(clone / "kernel.cu") && fs::exists(clone / ".git")) << name;
  }
}

}  // namespace tilestep::private_folder_test
