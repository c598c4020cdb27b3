// SPDX-License-Identifier: Apache-2.0
// README must explain every reason for which a test may be skipped, and no other.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <string>

#include "support/source_root.h"

namespace tilestep::runner::skip_reasons_test {

/// The first group of the pattern in each matching line of a file of the source tree.
std::set<std::string> found(const std::string& path, const std::string& pattern) {
  std::set<std::string> words;
  std::ifstream file(support::sourceRoot() + '/' + path);
  const std::regex regex(pattern);
  std::smatch match;
  for (std::string line; std::getline(file, line);)
    if (std::regex_search(line, match, regex)) words.insert(match[1]);
  return words;
}

TEST(SkipReasons, AreExplainedInReadme) {
  const auto listed = found("tests/support/skips.h", R"re(SkipReason k\w+\{"(.*)"\};)re");
  ASSERT_FALSE(listed.empty());
  EXPECT_EQ(listed, found("README.md", "^\\| `([^.`]*)` \\|"));
}

}  // namespace tilestep::runner::skip_reasons_test
