// SPDX-License-Identifier: Apache-2.0
// libFuzzer's way in: build with clang and -DTILESTEP_FUZZ=ON, run `fuzz_frames tests/fuzz/corpus/
// frames`.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fuzz/frames_check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string trouble =
      tilestep::fuzz::checkFrames(std::as_bytes(std::span<const uint8_t>(data, size)));
  if (trouble.empty()) return 0;
  std::fprintf(stderr, "%s\n", trouble.c_str());
  std::abort();
}
