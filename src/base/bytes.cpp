// SPDX-License-Identifier: Apache-2.0
#include "base/bytes.h"

namespace tilestep {

void ByteWriter::putBytes(std::span<const std::byte> bytes) {
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

void ByteWriter::putText(std::string_view text) {
  put(static_cast<uint32_t>(text.size()));
  putBytes(std::as_bytes(std::span(text.data(), text.size())));
}

std::optional<std::span<const std::byte>> ByteReader::getBytes(size_t count) {
  if (count > rest_.size()) return std::nullopt;
  const auto bytes = rest_.first(count);
  rest_ = rest_.subspan(count);
  return bytes;
}

std::optional<std::string_view> ByteReader::getText() {
  const auto size = get<uint32_t>();
  if (!size) return std::nullopt;
  const auto bytes = getBytes(*size);
  if (!bytes) return std::nullopt;
  return std::string_view(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

std::vector<std::byte> packWhole(std::span<const int64_t> values) {
  std::vector<std::byte> bytes;
  bytes.reserve(values.size());
  uint64_t before = 0;
  for (const int64_t signedValue : values) {
    const auto value = static_cast<uint64_t>(signedValue);
    const uint64_t difference = value - before;
    uint64_t rest = (difference << 1) ^ (0 - (difference >> 63));
    before = value;
    for (; rest >= 0x80; rest >>= 7) bytes.push_back(static_cast<std::byte>((rest & 0x7f) | 0x80));
    bytes.push_back(static_cast<std::byte>(rest));
  }
  return bytes;
}

std::optional<std::vector<int64_t>> unpackWhole(std::span<const std::byte> bytes, size_t most) {
  std::vector<int64_t> values;
  uint64_t before = 0, rest = 0;
  unsigned shift = 0;
  for (const std::byte byte : bytes) {
    const auto bits = static_cast<uint64_t>(byte);
    if (values.size() == most || shift > 63 || (shift == 63 && (bits & 0x7e) != 0))
      return std::nullopt;
    rest |= (bits & 0x7f) << shift;
    shift += 7;
    if ((bits & 0x80) != 0) continue;
    before += (rest >> 1) ^ (0 - (rest & 1));
    values.push_back(static_cast<int64_t>(before));
    rest = shift = 0;
  }
  if (shift != 0) return std::nullopt;
  return values;
}

}  // namespace tilestep
