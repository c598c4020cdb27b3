// SPDX-License-Identifier: Apache-2.0
// libFuzzer's way in (docs/measurements/fuzzing.md).
#include "fuzz/compilers_check.h"
#include "fuzz/libfuzzer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return tilestep::fuzz::report(tilestep::fuzz::checkCompilers(tilestep::fuzz::textOf(data, size)));
}
