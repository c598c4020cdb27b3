// SPDX-License-Identifier: Apache-2.0
// Damaged CUDA C++ is tokenised, judged and drafted from without harm, and no directive hides.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/files.h"
#include "fuzz/allocation_guard.h"
#include "fuzz/checks.h"
#include "fuzz/found.h"
#include "fuzz/text_mutator.h"
#include "support/source_root.h"

namespace tilestep::fuzz::text_fuzz_test {

std::vector<std::string> kernels() {
  std::vector<std::string> texts;
  for (const char* folder : {"/kernels", "/tests/corpus", "/assets/exercises"})
    for (const auto& path : filesIn(support::sourceRoot() + folder, ".cu"))
      texts.push_back(readTextFile(path).value());
  return texts;
}

TEST(FuzzText, TheIndependentCheckFindsDirectives) {
  EXPECT_EQ(foreignDirective("int a;\n#include <cuda_fp16.h>\n// \\\n#include <x>\n"), "");
  EXPECT_EQ(foreignDirective("/*\n#include <x>\n*/ const char* s = \"__has_include\";\n"), "");
  EXPECT_NE(foreignDirective("int a;\n  # include \"/etc/passwd\"\n"), "");
  EXPECT_NE(foreignDirective("#inc\\\r\nlude /* */ </cstdio> // x\n"), "");
  EXPECT_NE(foreignDirective("char c = '\"'; /* \" */\n%:embed \"x\"\n"), "");
  EXPECT_NE(foreignDirective("\n#if 1 && __has_include(<x>)\n"), "");
  EXPECT_NE(foreignDirective("#include <cuda/../x>\n"), "");
}

TEST(FuzzText, InputsFoundByLibFuzzerHold) {
  const auto found = foundTexts("text");
  EXPECT_GT(found.size(), 20U);
  for (const auto& input : found) EXPECT_EQ(checkText(input), "") << input;
}

TEST(FuzzText, DamagedKernels) {
  const std::vector<std::string> seeds = kernels();
  ASSERT_GE(seeds.size(), 50U);
  for (const std::string& seed : seeds) EXPECT_EQ(checkText(seed), "") << seed;
  TextMutator mutator(seeds, 5, dictionary("cuda"));
  resetLargestAllocation();
  for (int trial = 0; trial < 1500; ++trial) {
    const std::string text = mutator.next();
    ASSERT_EQ(checkText(text), "") << "trial " << trial << ":\n" << text;
  }
  EXPECT_LT(largestAllocation(), size_t{4} << 20);
}

/// Words that hide something. Some of many short texts are accepted, and these are the interesting
/// ones.
TEST(FuzzText, ShortTextsOfHidingWords) {
  TextMutator mutator({"int a;\n", "\n", "#define A 1\n"}, 6, dictionary("cuda"));
  for (int trial = 0; trial < 6000; ++trial) {
    const std::string text = mutator.next() + "\n#include \"/tmp/x\"\n";
    ASSERT_EQ(checkText(text), "") << "trial " << trial << ":\n" << text;
  }
}

}  // namespace tilestep::fuzz::text_fuzz_test
