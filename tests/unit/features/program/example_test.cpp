// SPDX-License-Identifier: Apache-2.0
#include "features/program/example.h"

#include <gtest/gtest.h>

#include "base/files.h"
#include "base/private_folder.h"
#include "features/program/open_text.h"
#include "model/session_options.h"
#include "support/results.h"

namespace tilestep::features::example_test {

constexpr const char* kShipped = "int main() {}\n";
constexpr const char* kEdited = "int main() { return 1; }\n";

/// A home with one program, and the user's folders.
class Examples : public testing::Test {
 protected:
  void SetUp() override {
    options.home = folder.path().string();
    options.ownKernels = (folder.path() / "data" / "kernels").string();
    options.programFolder = (folder.path() / "state").string();
    ASSERT_TRUE(writeFileAtomically(shipped(), kShipped));
  }
  [[nodiscard]] std::filesystem::path shipped() const {
    return folder.path() / "assets" / "programs" / "sum.cu";
  }
  [[nodiscard]] std::filesystem::path copy() const {
    return folder.path() / "data" / "programs" / "sum.cu";
  }
  PrivateFolder folder;
  model::SessionOptions options;
};

TEST_F(Examples, AreCopiedIntoTheUsersFolder) {
  const Example example = valueOrThrow(exampleOf(options, "sum"));
  EXPECT_EQ(example.file, copy());
  EXPECT_EQ(example.text, kShipped);
  EXPECT_EQ(*readTextFile(copy()), kShipped);
}

TEST_F(Examples, ChangedCopyIsNotOverwritten) {
  ASSERT_TRUE(exampleOf(options, "sum"));
  ASSERT_TRUE(writeFileAtomically(copy(), kEdited));
  const Result<Example> again = exampleOf(options, "sum");
  ASSERT_TRUE(again);
  EXPECT_EQ(again->file, copy());
  EXPECT_EQ(again->text, kShipped);
  EXPECT_EQ(*readTextFile(copy()), kEdited);
}

TEST_F(Examples, ShippedFileIsOpenedIfCopiesAreNotKept) {
  options.programFolder.clear();
  EXPECT_EQ(exampleOf(options, "sum")->file, shipped());
  EXPECT_FALSE(std::filesystem::exists(copy()));
}

TEST_F(Examples, MissingProgramIsReported) {
  EXPECT_TRUE(fails(exampleOf(options, "product"), "product.cu"));
}

TEST_F(Examples, ShippedTextIsAVersionOfTheCopy) {
  Drafts drafts(options.programFolder);
  OpenText text(drafts);
  text.open(copy(), kEdited);
  text.keepVersion("as in the lesson", kShipped);
  text.mark("mine");
  text.keepVersion("as in the lesson", kShipped);
  EXPECT_EQ(text.marks(), (std::vector<std::string>{"as opened", "as in the lesson", "mine"}))
      << "an existing version keeps its position";
  EXPECT_TRUE(text.returnTo("as in the lesson"));
  EXPECT_EQ(*text.text(), kShipped);
  EXPECT_TRUE(text.undo());
  EXPECT_EQ(*text.text(), kEdited);
}

}  // namespace tilestep::features::example_test
