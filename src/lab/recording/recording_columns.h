// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

/// A recording's numbers as named columns, each packed by zlib: whole numbers as differences from
/// the one before (zigzag, LEB128), others as the eight planes of their little-endian bytes, texts
/// each with a line break behind it.
namespace tilestep::lab {

enum class ColumnType : uint8_t { integer, real, text };

struct PackedColumn {
  std::string name;
  ColumnType type = ColumnType::integer;
  uint64_t entries = 0;
  std::string bytes;
};

/// Appends numbers to columns that come to be when first named.
class ColumnWriter {
 public:
  void integer(std::string_view name, int64_t value);
  void real(std::string_view name, double value);
  /// A number that stands for the text: its place in the column "texts".
  int64_t placeOf(const std::string& text);
  /// In the order of their names. `level`: zlib's, 1 to 9.
  [[nodiscard]] std::vector<PackedColumn> pack(int level) const;

 private:
  std::map<std::string, std::vector<int64_t>, std::less<>> integers_;
  std::map<std::string, std::vector<double>, std::less<>> reals_;
  std::vector<std::string> texts_;
  std::map<std::string, int64_t> places_;
};

/// Returns the numbers of each column in order. Keeps the first error, after which it returns
/// zeros.
class ColumnReader {
 public:
  /// Entries of all columns of one recording together: 64 MiB.
  static constexpr uint64_t kMostEntries = uint64_t{1} << 23;
  static constexpr size_t kMostText = 4096, kMostTextBytes = size_t{4} << 20;
  static constexpr size_t kMostReturnedBytes = size_t{64} << 20;

  /// Unpacks `packed`, which holds `entries` numbers. Memory grows with what is unpacked, never
  /// with what is declared, and stops at the declared number. A name that exists already is an
  /// Error.
  Status add(const std::string& name, ColumnType type, uint64_t entries, std::string_view packed);

  int64_t integer(std::string_view name);
  double real(std::string_view name);
  [[nodiscard]] bool has(std::string_view name) const { return columns_.contains(name); }
  /// The next `count` numbers, empty where there are fewer; valid until the next `add`.
  std::span<const int64_t> integers(std::string_view name, uint64_t count);
  /// The text whose place is the next number of `name`. All texts that were returned have at most
  /// kMostReturnedBytes together: one that is packed once can be named a million times.
  std::string text(std::string_view name);
  /// A number of things or an index: 0 to `most`.
  uint64_t upTo(std::string_view name, uint64_t most);

  /// Something is wrong at the number that was handed out last from `name`.
  void fail(std::string_view name, const std::string& what);
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  /// Whether a column that was read has numbers left over. Columns that were not read may exist.
  void checkEnds();

 private:
  struct Column {
    std::vector<int64_t> integers;
    std::vector<double> reals;
    size_t next = 0;
  };
  Column* find(std::string_view name);

  std::map<std::string, Column, std::less<>> columns_;
  std::vector<std::string> texts_;
  uint64_t entries_ = 0;
  size_t returnedBytes_ = 0;
  std::optional<Error> error_;
};

}  // namespace tilestep::lab
