// SPDX-License-Identifier: Apache-2.0
// The programs that lessons open. Each has the fault that its lesson describes, and is clean after
// the lesson's fix.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "base/files.h"
#include "support/results.h"
#include "support/source_root.h"
#include "support/tool.h"
#include "system/written_program.h"

namespace tilestep::system_test::example_programs_test {

using Json = nlohmann::json;
using support::Finished;

std::string fileOf(const std::string& name) {
  return support::sourceRoot() + "/assets/programs/" + name + ".cu";
}

TEST(ExamplePrograms, TheDotProductRacesInTheLineOfItsLesson) {
  const Finished done = support::expectStatus(
      1, {"run", fileOf("dot_product"), "--program", "--device", "simt", "--check", "--json"});
  const Json report = Json::parse(done.out);
  EXPECT_EQ(report.at("program").at("exit"), 1) << "its own check fails";
  EXPECT_EQ(report.at("findings"), Json::array()) << "the host does nothing wrong";
  ASSERT_EQ(report.at("launches").size(), 1U);
  const Json& hazards = report.at("launches")[0].at("hazards");
  ASSERT_EQ(hazards.size(), 1U) << hazards;
  EXPECT_EQ(hazards[0].at("kind"), "read-after-write");
  EXPECT_EQ(hazards[0].at("space"), "shared");
  EXPECT_EQ(hazards[0].at("second").at("line"), 17);
  EXPECT_EQ(hazards[0].at("first").at("thread"), Json({32, 0, 0}));
  EXPECT_EQ(hazards[0].at("second").at("thread"), Json({0, 0, 0}));
}

/// The fix of the lesson's step "Fix it": a barrier after line 17.
TEST(ExamplePrograms, TheDotProductIsCleanWithTheBarrierOfItsLesson) {
  std::string text = readTextFile(fileOf("dot_product")).value();
  const std::string addition = "    if (t < half) sums[t] += sums[t + half];\n";
  const size_t at = text.find(addition);
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(at), '\n') + 1, 17);
  text.insert(at + addition.size(), "    __syncthreads();\n");
  const Finished done = WrittenProgram(text).run({"--check"});
  EXPECT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(done.out, "The kernel says 1997, the host says 1997.\n");
  EXPECT_TRUE(has(done.err, "No fault was found in 1 launch"));
}

}  // namespace tilestep::system_test::example_programs_test
