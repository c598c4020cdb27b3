// SPDX-License-Identifier: Apache-2.0
// libFuzzer's entry point (docs/measurements/fuzzing.md). An input that begins as a recording is
// read as one, with a correct checksum; any other chooses changes of a complete recording.
#include "fuzz/libfuzzer.h"
#include "fuzz/recording_changes.h"
#include "fuzz/recording_check.h"
#include "lab/recording/recording_file.h"
#include "unit/lab/recording_samples.h"

namespace tilestep::fuzz {
namespace {

const std::string& wholeRecording() {
  static const std::string whole = lab::encodeRecording(lab::sample::recording()).value();
  return whole;
}

std::string recordingOf(std::span<const std::byte> input) {
  constexpr auto kFirst = std::byte{0x89};
  const bool isRecording = !input.empty() && input.front() == kFirst;
  return isRecording ? withChecksum(input) : changedRecording(wholeRecording(), input);
}

}  // namespace
}  // namespace tilestep::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tilestep::fuzz;
  const std::string bytes = recordingOf(std::as_bytes(std::span<const uint8_t>(data, size)));
  return report(checkRecordingBytes(std::as_bytes(std::span(bytes))));
}
