// SPDX-License-Identifier: Apache-2.0
// Random and damaged programs in the interpreter, always the same ones.
#include <gtest/gtest.h>

#include "base/files.h"
#include "fuzz/allocation_guard.h"
#include "fuzz/checks.h"
#include "fuzz/found.h"
#include "fuzz/text_mutator.h"
#include "support/source_root.h"

namespace tilestep::fuzz::simt_fuzz_test {

constexpr uint64_t kPrograms = 400;
constexpr int kInputs = 1500;
constexpr size_t kLargest = size_t{256} << 20;

std::vector<std::string> seeds() {
  std::vector<std::string> texts = goldenTexts();
  for (const char* name : {"matmul_tiled_16.ptx", "matmul_naive.ptx"}) {
    texts.push_back(readTextFile(support::sourceRoot() + "/bench/data/" + name).value());
  }
  return texts;
}

TEST(SimtFuzz, AThreadOfARandomProgramDependsOnNoOther) {
  for (uint64_t number = 0; number < kPrograms; ++number) {
    ASSERT_EQ(checkRandomProgram(number), "") << "program " << number;
  }
}

TEST(SimtFuzz, EverySeedGivesTheSameOnEveryInstructionSet) {
  for (const std::string& text : seeds()) EXPECT_EQ(checkInterpreter(text), "") << text;
}

TEST(SimtFuzz, InputsFoundByTheFuzzerGiveTheSameOnEveryInstructionSet) {
  const auto found = foundTexts("simt");
  EXPECT_GT(found.size(), 20U);
  for (const std::string& text : found) EXPECT_EQ(checkInterpreter(text), "") << text;
}

TEST(SimtFuzz, DamagedProgramsAreRefusedOrGiveTheSameWithinBounds) {
  TextMutator mutator(seeds(), 4711);
  resetLargestAllocation();
  for (int i = 0; i < kInputs; ++i) {
    const std::string text = mutator.nextOfLines();
    ASSERT_EQ(checkInterpreter(text), "") << "input " << i << ":\n" << text;
    ASSERT_LT(largestAllocation(), kLargest) << "input " << i << ":\n" << text;
  }
}

}  // namespace tilestep::fuzz::simt_fuzz_test
