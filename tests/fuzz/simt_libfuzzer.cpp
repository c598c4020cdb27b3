// SPDX-License-Identifier: Apache-2.0
// libFuzzer's way in: build with clang and -DTILESTEP_FUZZ=ON, run `fuzz_simt CORPUS_FOLDER`.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fuzz/simt_check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string trouble = tilestep::fuzz::checkInterpreter(text);
  if (trouble.empty()) return 0;
  std::fprintf(stderr, "%s\n", trouble.c_str());
  std::abort();
}
