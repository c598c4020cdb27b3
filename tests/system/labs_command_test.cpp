// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/results.h"
#include "support/tool.h"
#include "unit/features/labs/lab_home.h"

namespace tilestep::system_test::labs_command_test {

using nlohmann::json;
using support::Finished;
using support::tilestep;

Finished labsOf(const std::string& home, support::Words more = {}) {
  support::Words words{"labs"};
  words.insert(words.end(), more.begin(), more.end());
  return tilestep(words, {"TILESTEP_HOME=" + home});
}

TEST(LabsCommand, PrintsFiveKeysForEachLab) {
  const Finished list = labsOf(features::makeLabHome("labs_command_test"), {"--json"});
  ASSERT_EQ(list.status, 0) << list.err;
  EXPECT_EQ(json::parse(list.out), json::parse(R"([{"id": "branches", "title": "Branches",
                             "question": "What does an `if` cost?",
                             "kernels": ["branch_thread_parity", "branch_warp_parity"],
                             "lesson": "1-branches"}])"));
}

TEST(LabsCommand, ReportsADamagedLabAndListsTheOthers) {
  const std::string home = features::makeLabHome("labs_command_test");
  ASSERT_TRUE(writeFileAtomically(home + "/assets/labs/bad.toml", "number = 1\ntitel = \"x\"\n"));
  const Finished list = labsOf(home, {"--json"});
  EXPECT_EQ(list.status, 1);
  EXPECT_EQ(json::parse(list.out).size(), 1U);
  EXPECT_TRUE(has(list.err, "bad.toml:2:1: a lab has no key titel; the nearest is title"));
}

}  // namespace tilestep::system_test::labs_command_test
