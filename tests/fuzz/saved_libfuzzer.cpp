// SPDX-License-Identifier: Apache-2.0
// libFuzzer's way in (docs/measurements/fuzzing.md).
#include "fuzz/libfuzzer.h"
#include "fuzz/saved_check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return tilestep::fuzz::report(tilestep::fuzz::checkSaved(tilestep::fuzz::textOf(data, size)));
}
