// SPDX-License-Identifier: Apache-2.0
// Damaged programs: offering changes for them does no harm.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "base/files.h"
#include "features/program/fixes.h"
#include "fuzz/text_mutator.h"
#include "support/source_root.h"

namespace tilestep::fuzz::program_fuzz_test {

using features::CodeFix;
using features::fixFor;
using lab::ProgramFinding;

std::vector<std::string> texts() {
  std::vector<std::string> all;
  for (const auto& path : filesIn(support::sourceRoot() + "/kernels", ".cu"))
    all.push_back(readTextFile(path).value() +
                  "\nint main() {\n  int n = 100, blocks = n / 32;\n  cudaMemcpy(a, b, n, k);\n"
                  "  k<<<blocks, 32>>>(a, n);\n}\n");
  return all;
}

/// Possible findings in a line of a source, whether the line exists or not.
std::vector<ProgramFinding> findingsAt(uint32_t line, uint32_t other) {
  std::vector<ProgramFinding> all;
  for (const char* kind : {"read-after-write", "out-of-bounds", "grid-too-small", "wrong-size",
                           "unchecked-error", "uninitialised-read"}) {
    ProgramFinding& finding = all.emplace_back();
    finding.kind = kind;
    finding.kernel = finding.kind == "read-after-write" || finding.kind == "out-of-bounds" ||
                             finding.kind == "uninitialised-read"
                         ? "k"
                         : "";
    finding.message = "a __syncthreads() is missing";
    finding.line = line;
    finding.otherLine = other;
  }
  return all;
}

TEST(FuzzProgram, AChangeOfADamagedTextIsATextAndDiffers) {
  TextMutator mutator(texts(), 5,
                      {"<<<", ">>>", "{", "}", "(", ")", "__global__ ", "\n", "/", "="});
  size_t offered = 0;
  for (uint32_t trial = 0; trial < 400; ++trial) {
    const std::string text = mutator.next();
    const auto lines = static_cast<uint32_t>(std::ranges::count(text, '\n'));
    for (const ProgramFinding& finding :
         findingsAt(trial * 7 % (lines + 3), trial * 11 % (lines + 3))) {
      const std::optional<CodeFix> fix = fixFor(finding, text);
      if (!fix) continue;
      ++offered;
      ASSERT_FALSE(fix->changes.empty()) << text;
      ASSERT_GE(fix->line, 1U);
      ASSERT_LE(fix->text.size(), text.size() + 600);
    }
  }
  EXPECT_GT(offered, 100U);
}

}  // namespace tilestep::fuzz::program_fuzz_test
