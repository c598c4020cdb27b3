// SPDX-License-Identifier: Apache-2.0
#include "compile/compilers/clang_files.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/private_folder.h"

namespace tilestep::compile::clang_files_test {

namespace fs = std::filesystem;

TEST(ClangFiles, RulesAreReadAsMakeReadsThem) {
  EXPECT_EQ(dependenciesIn("out.ptx: a.cu b\\ c.h \\\n  /x/d.h \\\n e$$f\n"),
            (std::vector<std::string>{"a.cu", "b c.h", "/x/d.h", "e$f"}));
  EXPECT_EQ(dependenciesIn("/a:b/out.ptx: a.cu"), (std::vector<std::string>{"a.cu"}));
  EXPECT_TRUE(dependenciesIn("").empty());
  EXPECT_TRUE(dependenciesIn("out:").empty());
}

TEST(ClangFiles, FilesOfOtherFoldersAreFound) {
  const PrivateFolder own, other;
  std::ofstream(own.path() / "a.cu") << "";
  std::ofstream(other.path() / "b.h") << "";
  fs::create_symlink(other.path() / "b.h", own.path() / "link.h");
  const auto foreign = [&](const std::string& files) {
    std::ofstream(own.path() / "rule.d") << "out: " << files << "\n";
    return foreignFile(own.path() / "rule.d", {own.path(), ""});
  };
  const std::string folder = own.path().string();
  EXPECT_EQ(foreign(folder + "/a.cu"), std::nullopt);
  EXPECT_EQ(foreign(folder + "/a.cu /etc/passwd"), "/etc/passwd");
  EXPECT_EQ(foreign(folder + "/../x"), folder + "/../x");
  EXPECT_EQ(foreign(folder + "/link.h"), folder + "/link.h") << "links are followed";
  EXPECT_EQ(foreign(folder + "x/a.cu"), folder + "x/a.cu") << "this is another folder";
  EXPECT_TRUE(foreignFile(own.path() / "missing.d", {own.path()}));
}

}  // namespace tilestep::compile::clang_files_test
