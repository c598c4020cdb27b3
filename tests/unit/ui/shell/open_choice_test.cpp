// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/open_choice.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/private_folder.h"

namespace tilestep::ui::open_choice_test {

/// A folder with two programs, another file, a hidden file and a subfolder.
class OpenChoice : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"tiled.cu", "naive.cu", "notes.txt", ".hidden.cu"})
      ASSERT_TRUE(writeFileAtomically(folder.path() / name, "int main() {}\n"));
    std::filesystem::create_directory(folder.path() / "lab3");
    dialog.folder = folder.path().string();
    dialog.entries = entriesOf(folder.path());
  }
  std::filesystem::path typed(const char* text) {
    dialog.path = text;
    return chosenFile(dialog, recent);
  }
  PrivateFolder folder;
  OpenDialog dialog;
  std::vector<std::string> recent{"/elsewhere/sums.cu"};
};

TEST_F(OpenChoice, FoldersComeFirstThenPrograms) {
  EXPECT_EQ(dialog.entries, (std::vector<std::string>{"../", "lab3/", "naive.cu", "tiled.cu"}));
}

TEST_F(OpenChoice, TheMarkedRowIsChosenWithoutText) {
  EXPECT_EQ(chosenFile(dialog, recent), "/elsewhere/sums.cu");
  dialog.at = 3;
  EXPECT_EQ(chosenFile(dialog, recent), folder.path() / "naive.cu");
  dialog.at = 5;
  EXPECT_EQ(chosenFile(dialog, recent), "") << "after the last row";
}

TEST_F(OpenChoice, ATypedNameMayOmitItsEnd) {
  EXPECT_EQ(typed("tiled.cu"), folder.path() / "tiled.cu");
  EXPECT_EQ(typed("tiled"), folder.path() / "tiled.cu");
  EXPECT_EQ(typed("ti"), folder.path() / "tiled.cu");
  EXPECT_EQ(typed("lab"), folder.path() / "lab3/");
  EXPECT_EQ(typed("notes.txt"), folder.path() / "notes.txt")
      << "opening the file reports what it is";
}

TEST_F(OpenChoice, ATypedPathMayBeAbsoluteAndMissing) {
  EXPECT_EQ(typed("/elsewhere/none.cu"), "/elsewhere/none.cu");
  EXPECT_EQ(typed("none"), folder.path() / "none");
}

}  // namespace tilestep::ui::open_choice_test
