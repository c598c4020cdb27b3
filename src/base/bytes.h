// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

/// Little-endian bytes for the wire and for files, bounded on the reading side.
namespace tilestep {

/// The number with its bytes in reverse order.
template <class T>
requires std::is_arithmetic_v<T>
[[nodiscard]] T byteSwapped(T value) {
  std::byte bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  for (size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(bytes[i], bytes[sizeof(T) - 1 - i]);
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

template <class T>
[[nodiscard]] T littleEndian(T value) {
  if constexpr (std::endian::native == std::endian::big) return byteSwapped(value);
  return value;
}

/// Appends numbers and bytes.
class ByteWriter {
 public:
  template <class T>
  requires std::is_arithmetic_v<T>
  void put(T value) {
    value = littleEndian(value);
    putBytes(std::as_bytes(std::span(&value, 1)));
  }
  void putBytes(std::span<const std::byte> bytes);
  /// Writes the length as 32 bits, then the characters.
  void putText(std::string_view text);

  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

/// Reads the output of a ByteWriter. Each read returns nothing, and consumes nothing, if too few
/// bytes are left. The bytes must outlive the reader, which only views them.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
  requires std::is_arithmetic_v<T> std::optional<T> get() {
    const auto bytes = getBytes(sizeof(T));
    if (!bytes) return std::nullopt;
    T value;
    std::memcpy(&value, bytes->data(), sizeof(T));
    return littleEndian(value);
  }
  std::optional<std::span<const std::byte>> getBytes(size_t count);
  std::optional<std::string_view> getText();

  [[nodiscard]] size_t left() const { return rest_.size(); }

 private:
  std::span<const std::byte> rest_;
};

template <class T>
concept ColumnEntry = std::is_arithmetic_v<T> || std::is_same_v<T, std::byte>;

/// The numbers as consecutive little-endian values.
template <ColumnEntry T>
[[nodiscard]] std::vector<std::byte> toColumn(std::span<const T> values) {
  std::vector<std::byte> bytes(values.size_bytes());
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  if constexpr (std::endian::native == std::endian::big && sizeof(T) > 1) {
    for (size_t at = 0; at < bytes.size(); at += sizeof(T)) {
      const T swapped = byteSwapped(values[at / sizeof(T)]);
      std::memcpy(bytes.data() + at, &swapped, sizeof(T));
    }
  }
  return bytes;
}

/// A column's numbers; nothing if its length is not a multiple of their size.
template <ColumnEntry T>
[[nodiscard]] std::optional<std::vector<T>> fromColumn(std::span<const std::byte> bytes) {
  if (bytes.size() % sizeof(T) != 0) return std::nullopt;
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  if constexpr (sizeof(T) > 1) {
    for (T& value : values) value = littleEndian(value);
  }
  return values;
}

/// Compresses integers: the difference between each integer and the previous one is zigzag-encoded
/// and written as LEB128, so that columns of counts and times need little space. Differences wrap
/// around at 64 bits, so unsigned 64-bit values work, too.
[[nodiscard]] std::vector<std::byte> packWhole(std::span<const int64_t> values);
/// Returns nothing if the bytes end within a number, hold more than `most` numbers, or hold a
/// number of more than 64 bits.
[[nodiscard]] std::optional<std::vector<int64_t>> unpackWhole(std::span<const std::byte> bytes,
                                                              size_t most);

}  // namespace tilestep
