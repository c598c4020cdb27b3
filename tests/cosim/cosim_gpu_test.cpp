// SPDX-License-Identifier: Apache-2.0
// Compares the interpreter with this machine's GPU, with many more values.
// TILESTEP_COSIM_REMAKE=FILE writes the GPU's answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "cosim/bounds.h"
#include "cosim/gpu.h"
#include "cosim/interpreter.h"
#include "cosim/report.h"
#include "cosim/values.h"
#include "support/gpu_there.h"
#include "support/skips.h"

namespace tilestep::cosim::cosim_gpu_test {

constexpr uint32_t kCases = 16384;

struct Errors {
  double gpu = 0, here = 0;
};

/// The largest errors of an approximation, as shares of the stated error.
Errors errorsOf(const Form& form, const std::vector<uint64_t>& gpu,
                const std::vector<uint64_t>& here) {
  Errors errors;
  for (uint32_t i = 0; i < kCases; ++i) {
    std::vector<uint64_t> sources;
    for (size_t slot = 0; slot < form.sources.size(); ++slot) {
      sources.push_back(valueOf(form, slot, i));
    }
    errors.gpu = std::max(errors.gpu, shareOfBound(form, sources, gpu[i]));
    errors.here = std::max(errors.here, shareOfBound(form, sources, here[i]));
  }
  return errors;
}

TEST(CosimGpu, TheInterpreterAnswersLikeThisGpu) {
  if (const auto why = support::whyNoGpu()) {
    GTEST_SKIP() << support::because(support::kNoGpu, *why);
  }
  const std::vector<Form> forms = allForms();
  Answers answers;
  size_t failures = 0;
  const Status run = runOnGpu(forms, kCases, [&](size_t i, const std::vector<uint64_t>& results) {
    const Form& form = forms[i];
    answers.set(form, [&] {
      std::vector<uint64_t> first;
      for (size_t slot = 0; slot < form.results.size(); ++slot) {
        const auto start = results.begin() + static_cast<ptrdiff_t>(slot * kCases);
        first.insert(first.end(), start, start + kKeptCases);
      }
      return answerOf(form, first);
    }());
    auto here = interpret(form, kCases);
    const std::string failure =
        here ? firstDifference(form, results, *here) : toString(here.error());
    if (!failure.empty() && ++failures <= 100) ADD_FAILURE() << failure;
    if (form.check == Check::exact || !here) return;
    const Errors errors = errorsOf(form, results, *here);
    std::printf("%-40s largest error, of the stated one: GPU %.2f, interpreter %.2f\n",
                form.text.c_str(), errors.gpu, errors.here);
  });
  EXPECT_TRUE(run) << (run ? "" : toString(run.error()));
  std::printf("%zu forms, %u values each, %zu differ\n", forms.size(), kCases, failures);
  if (const char* file = std::getenv("TILESTEP_COSIM_REMAKE")) {
    EXPECT_TRUE(answers.save(file));
  }
}

}  // namespace tilestep::cosim::cosim_gpu_test
