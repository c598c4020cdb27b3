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

}  // namespace tilestep
