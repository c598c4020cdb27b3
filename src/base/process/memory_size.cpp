// SPDX-License-Identifier: Apache-2.0
#include "base/process/memory_size.h"

#include <array>
#include <cstdio>

#include "base/number_text.h"

namespace tilestep {
namespace {

constexpr std::string_view kPrefixes = "KMGT";

}  // namespace

std::optional<uint64_t> memorySizeOf(std::string_view text) {
  constexpr uint64_t kMost = uint64_t{1} << 63;
  uint64_t factor = 1;
  if (const size_t prefix = text.empty() ? std::string_view::npos : kPrefixes.find(text.back());
      prefix != std::string_view::npos) {
    factor = uint64_t{1} << (10 * (prefix + 1));
    text.remove_suffix(1);
  }
  const auto number = numberIn<uint64_t>(text);
  if (!number || *number == 0 || *number > kMost / factor) return std::nullopt;
  return *number * factor;
}

std::string memorySizeText(uint64_t bytes) {
  double value = static_cast<double>(bytes);
  size_t prefix = 0;
  for (; value >= 1024 && prefix < kPrefixes.size(); ++prefix) value /= 1024;
  if (prefix == 0) return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), value < 10 ? "%.2g" : "%.0f", value);
  return std::string(text.data()) + " " + kPrefixes[prefix - 1] + "iB";
}

}  // namespace tilestep
