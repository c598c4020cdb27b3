// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/help/help.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace tilestep::ui::help_test {

/// The keys of a help line, such as "Ctrl+Z" and "Ctrl+Y".
std::vector<std::string> keysOf(const std::string& line) {
  std::vector<std::string> keys;
  for (size_t at = 0; at < line.size();) {
    const size_t end = std::min(line.find(", ", at), line.size());
    keys.push_back(line.substr(at, end - at));
    at = end + 2;
  }
  return keys;
}

/// Whether the group's keys act on only one stage, so that the help shows the group first.
bool isOfOneStage(KeyGroup group) {
  return group == KeyGroup::cube || group == KeyGroup::plots || group == KeyGroup::sweeps ||
         group == KeyGroup::timeline;
}

TEST(Help, NoKeyHasTwoMeaningsOnOneView) {
  std::map<std::string, std::string> everywhere;
  std::map<KeyGroup, std::set<std::string>> onStage;
  for (const KeyHelp& line : allKeys())
    for (const std::string& key : keysOf(line.keys)) {
      if (isOfOneStage(line.group))
        EXPECT_TRUE(onStage[line.group].insert(key).second) << key << ": " << line.what;
      else
        EXPECT_TRUE(everywhere.emplace(key, line.what).second)
            << key << ": " << line.what << ", and: " << everywhere[key];
    }
  EXPECT_GT(everywhere.size(), 40U);
}

}  // namespace tilestep::ui::help_test
