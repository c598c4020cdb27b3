// SPDX-License-Identifier: Apache-2.0
// Damaged files of what was found of a class: each is refused, or what it says of a hand-in is
// something that grading can find.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "fuzz/allocation_guard.h"
#include "fuzz/text_mutator.h"
#include "grade/class_file.h"
#include "grade/trouble.h"

namespace tilestep::grade {
namespace class_file_fuzz_test {

Grade handIn(const std::string& id, std::vector<Trouble> troubles) {
  Grade one;
  one.id = id;
  one.file = id + ".cu";
  one.hash = "hash of " + id;
  one.verdict = troubles.empty() ? Verdict::right : Verdict::wrong;
  one.rows = {{"result", 6, 6, ""}};
  one.troubles = std::move(troubles);
  return one;
}

std::vector<Grade> classOf() {
  return {handIn("ada", {{"guard", {}, 0}, {"count", "barriers", 2.5}}),
          handIn("alan", {{"not-compiled", "no 'x'", 0}}), handIn("zoe", {})};
}

std::string classFile() {
  RunFacts facts;
  facts.version = "1.0";
  return toClassJson(classOf(), facts);
}

TEST(ClassFileFuzz, EveryMutationIsRefusedOrSaysWhatGradingCanFind) {
  const std::vector<std::string_view> words{
      "{",         "}",        "[",         "]",
      ":",         ",",        "\"",        "null",
      "1e999",     "-1",       "true",      "\"hand_ins\"",
      "\"found\"", "\"kind\"", "\"guard\"", "\"marks\"",
      "\"page\"",  "\\u0000",  "\xff",      std::string_view("\0", 1)};
  fuzz::TextMutator mutator({classFile()}, 7, words);
  constexpr int kTrials = 6000;
  int found = 0;
  fuzz::resetLargestAllocation();
  for (int trial = 0; trial < kTrials; ++trial) {
    const std::string text = mutator.next();
    const FoundBefore before(text, "1.0");
    for (const Grade& grade : classOf()) {
      const auto troubles = before.of(grade);
      if (!troubles) continue;
      ++found;
      ASSERT_TRUE(isClassJson(text)) << text;
      // Each group of a class can be named, whatever a file says.
      for (const Trouble& trouble : *troubles)
        ASSERT_NE(troubleWords(trouble.kind), nullptr) << "trial " << trial << ":\n" << text;
    }
  }
  EXPECT_GT(found, kTrials / 20) << "else this tests nothing but refusals";
  EXPECT_LT(found, 3 * kTrials) << "else nothing is checked";
  EXPECT_LT(fuzz::largestAllocation(), size_t{1} << 20);
}

}  // namespace class_file_fuzz_test
}  // namespace tilestep::grade
