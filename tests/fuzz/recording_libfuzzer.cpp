// SPDX-License-Identifier: Apache-2.0
// libFuzzer's way in: build with clang and -DTILESTEP_FUZZ=ON, run `fuzz_recording
// tests/fuzz/corpus/ recording`.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fuzz/recording_check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tilestep::fuzz;
  const std::string whole = withChecksum(std::as_bytes(std::span<const uint8_t>(data, size)));
  const std::string trouble = checkRecordingBytes(std::as_bytes(std::span(whole)));
  if (trouble.empty()) return 0;
  std::fprintf(stderr, "%s\n", trouble.c_str());
  std::abort();
}
