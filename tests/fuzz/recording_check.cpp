// SPDX-License-Identifier: Apache-2.0
#include <zlib.h>

#include <string_view>

#include "fuzz/checks.h"
#include "fuzz/recording_changes.h"
#include "lab/recording/recording_file.h"
#include "unit/lab/recording_samples.h"

namespace tilestep::fuzz {
namespace {

constexpr int kLevel = 1;  // The quickest level of compression.

}  // namespace

std::string checkRecordingBytes(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto recording = lab::decodeRecording(text, "input");
  if (!recording) {
    return recording.error().message.starts_with("input is refused: ")
               ? ""
               : "a refusal without a reason";
  }
  const auto again = lab::encodeRecording(*recording, kLevel);
  if (!again) return "what was read cannot be written: " + again.error().message;
  const auto read = lab::decodeRecording(*again, "again");
  if (!read) return "what was written again is refused: " + read.error().message;
  return lab::encodeRecording(*read, kLevel).value() == *again
             ? ""
             : "it comes back as another recording";
}

std::string withChecksum(std::span<const std::byte> bytes) {
  constexpr size_t kSum = 4;
  std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.size() < kSum) return text;
  const size_t end = text.size() - kSum;
  const auto sum = crc32_z(0, reinterpret_cast<const Bytef*>(text.data()), end);
  for (size_t i = 0; i < kSum; ++i) text[end + i] = static_cast<char>((sum >> (8 * i)) & 0xff);
  return text;
}

std::string checkRecordingInput(std::span<const std::byte> input) {
  static const std::string whole = lab::encodeRecording(lab::sample::recording()).value();
  constexpr auto kFirst = std::byte{0x89};
  const bool isRecording = !input.empty() && input.front() == kFirst;
  const std::string bytes = isRecording ? withChecksum(input) : changedRecording(whole, input);
  return checkRecordingBytes(std::as_bytes(std::span(bytes)));
}

}  // namespace tilestep::fuzz
