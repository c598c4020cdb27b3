// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/state_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/files.h"
#include "base/private_folder.h"

namespace tilestep::ui::state_file_test {

class StateFileTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const { return folder.path() / name; }
  /// The message about a file that contains `text`. Expects that an existing file does not change.
  [[nodiscard]] std::string refusalOf(const std::string& text) const {
    EXPECT_TRUE(writeFileAtomically(path("there"), text));
    const Status begun = beginStateFile(path("there"));
    EXPECT_EQ(readTextFile(path("there")).value(), begun ? "{}\n" : text);
    return begun ? "" : begun.error().message;
  }
  PrivateFolder folder;
};

TEST_F(StateFileTest, NewAndEmptyFilesAndOlderStatesAreReplaced) {
  EXPECT_TRUE(beginStateFile(path("new")));
  EXPECT_EQ(readTextFile(path("new")).value(), "{}\n");
  EXPECT_TRUE(beginStateFile(path("new"))) << "a window that ended at once leaves such a file";
  EXPECT_EQ(refusalOf(""), "");
  EXPECT_EQ(refusalOf(R"({"schema": 1, "device_in_use": "simt", "kernels": []})"), "");
}

TEST_F(StateFileTest, OtherFilesAreKeptAndRefused) {
  for (const std::string text :
       {"title = \"my thesis\"\n", "[1, 2]", "{\"schema\": 1}", "{", " "}) {
    EXPECT_EQ(refusalOf(text), "the window's state cannot be written to " + path("there") +
                                   ", which contains something else; name another file");
  }
}

TEST_F(StateFileTest, APipeOrAFolderIsRefusedAtOnce) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  for (const std::string& name : {path("pipe"), folder.path().string()}) {
    const Status begun = beginStateFile(name);
    ASSERT_FALSE(begun) << name;
    EXPECT_EQ(begun.error().kind, ErrorKind::request);
    EXPECT_EQ(begun.error().message, "the window's state cannot be written to " + name +
                                         ", which is not a regular file; name another file");
  }
}

}  // namespace tilestep::ui::state_file_test
