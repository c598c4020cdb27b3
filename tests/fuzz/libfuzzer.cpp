// SPDX-License-Identifier: Apache-2.0
// libFuzzer's entry (docs/measurements/fuzzing.md). TILESTEP_CHECK names a function of checks.h.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fuzz/checks.h"

namespace {

template <class View>
std::string checked(std::string (*check)(View), const uint8_t* data, size_t size) {
  return check(View(reinterpret_cast<typename View::const_pointer>(data), size));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string trouble = checked(tilestep::fuzz::TILESTEP_CHECK, data, size);
  if (trouble.empty()) return 0;
  std::fprintf(stderr, "%s\n", trouble.c_str());
  std::abort();  // So that libFuzzer keeps the input.
}
