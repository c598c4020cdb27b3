// SPDX-License-Identifier: Apache-2.0
#include "features/program/drafts.h"

#include <gtest/gtest.h>

#include "base/files.h"

namespace tilestep::features::drafts_test {

TEST(ProgramDrafts, OutliveTheWindowUntilRemoved) {
  const PrivateFolder folder;
  const std::filesystem::path own = folder.path() / "programs";
  ASSERT_TRUE(Drafts(own).keep("/home/me/hw1.cu", "int main() {}", "before"));
  const Drafts later(own);
  ASSERT_TRUE(later.find("/home/me/hw1.cu"));
  EXPECT_EQ(later.find("/home/me/hw1.cu")->text, "int main() {}");
  EXPECT_EQ(later.find("/home/me/hw1.cu")->base, Drafts::baseOf("before"));
  EXPECT_FALSE(later.find("/home/you/hw1.cu"));
  EXPECT_EQ(later.fileOf("/home/me/hw1.cu").filename(), "hw1.cu");
  later.remove("/home/me/hw1.cu");
  EXPECT_FALSE(later.find("/home/me/hw1.cu"));
}

TEST(ProgramDrafts, WithoutAFolderNothingRemains) {
  std::filesystem::path file;
  {
    const Drafts drafts((std::filesystem::path()));
    ASSERT_TRUE(drafts.keep("/home/me/hw1.cu", "int main() {}", "before"));
    file = drafts.fileOf("/home/me/hw1.cu");
    EXPECT_TRUE(std::filesystem::exists(file));
    EXPECT_TRUE(drafts.recent().empty());
  }
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(ProgramDrafts, NewestProgramsComeFirstWithoutDuplicates) {
  const PrivateFolder folder;
  const Drafts drafts(folder.path() / "programs");
  for (const char* path : {"/a.cu", "/b.cu", "/a.cu"}) drafts.addRecent(path);
  EXPECT_EQ(drafts.recent(), (std::vector<std::string>{"/a.cu", "/b.cu"}));
}

}  // namespace tilestep::features::drafts_test
