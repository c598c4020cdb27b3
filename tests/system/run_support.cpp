// SPDX-License-Identifier: Apache-2.0
#include "system/run_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/results.h"

namespace tilestep::system_test {

nlohmann::json runJson(const support::Words& arguments, const support::Words& environment,
                       int status) {
  support::Words words{"run"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  words.insert(words.end(), {"--device", "simt", "--json"});
  const support::Finished finished = support::tilestep(words, environment);
  EXPECT_EQ(finished.status, status) << finished.err;
  nlohmann::json document = nlohmann::json::parse(finished.out, nullptr, false);
  EXPECT_TRUE(document.is_object()) << finished.out.substr(0, 400);
  return document.is_object() ? document : nlohmann::json::object();
}

void expectRefused(const support::Words& arguments, const support::Words& parts,
                   const support::Words& environment) {
  const support::Finished finished = support::expectStatus(2, arguments, environment);
  EXPECT_EQ(finished.out, "");
  EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
  for (const std::string& part : parts) {
    EXPECT_TRUE(has(finished.err, part)) << "no '" << part << "' in\n" << finished.err;
  }
}

}  // namespace tilestep::system_test
