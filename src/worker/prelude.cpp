// SPDX-License-Identifier: Apache-2.0
#include "worker/prelude.h"

#include <algorithm>
#include <string_view>

#include "worker/frame.h"

namespace tilestep::worker {
namespace {

constexpr size_t kLongestLine = 120;

}  // namespace

Result<std::span<const std::byte>> Prelude::feed(std::span<const std::byte> bytes) {
  if (passed_) return bytes;
  const std::string_view magic(kMagic.data(), kMagic.size());
  // The magic may be split between two pieces, so the search starts shortly before the new bytes.
  const size_t from = noise_.size() < magic.size() ? 0 : noise_.size() - magic.size();
  noise_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const size_t at = noise_.find(magic, from);
  if (std::min(at, noise_.size()) > kMostNoise) {
    return workError("it printed more than " + std::to_string(kMostNoise) +
                     " bytes that are not a message, beginning with \"" + firstLine() + "\"");
  }
  if (at == std::string::npos) return std::span<const std::byte>();
  passed_ = true;
  held_ = noise_.substr(at);
  noise_.resize(at);
  return std::as_bytes(std::span(held_));
}

std::string Prelude::firstLine() const {
  std::string line;
  for (const char c : noise_) {
    if (c == '\n' || c == '\r') {
      if (line.find_first_not_of(' ') != std::string::npos) break;
      line.clear();
    } else if (line.size() < kLongestLine) {
      line += c >= ' ' && c <= '~' ? c : '.';
    }
  }
  return line;
}

}  // namespace tilestep::worker
