// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/dim3.h"
#include "base/figure_range.h"

/// Serialization of structs. A function `describe(Archive&, T&)` beside each struct, found by
/// argument-dependent lookup, names each field once, with its bounds. Every format uses this
/// function: messages to workers and recordings (base/tree_archive.h), and the TOML files of a
/// user's state (model/files/toml_archive.h).
namespace tilestep {

/// A table of fields that is being written or read. After the first error, reading stops, and the
/// values read so far must not be used. Writing does not change the values.
class Archive {
 public:
  using Key = std::string_view;
  using Body = std::function<void(Archive&)>;
  /// The wording of errors about a table: `where` replaces the table's key, and `wrong` replaces
  /// the usual error message.
  struct TableWords {
    std::string where, wrong;
  };

  virtual ~Archive() = default;

  [[nodiscard]] virtual bool reads() const = 0;
  /// Whether nothing has failed so far.
  [[nodiscard]] virtual bool good() const = 0;
  /// When reading, returns whether the field is present. When writing, returns `present`; tree
  /// formats write null for an absent field.
  virtual bool has(Key key, bool present) = 0;
  /// When reading, fails with `sentence` at the key unless `right`.
  virtual void check(bool right, Key key, const std::string& sentence) = 0;
  void need(Key key, const std::string& sentence) { check(has(key, true), key, sentence); }
  virtual void table(Key key, const Body& body, const TableWords& words = {}) = 0;

  virtual void operator()(Key key, bool& value) = 0;
  /// `wrong`, if given, replaces the usual error message.
  template <std::integral T>
  void operator()(Key key, T& value, int64_t low, int64_t high, const std::string& wrong = {}) {
    auto number = static_cast<int64_t>(value);
    whole(key, number, low, high, wrong);
    value = static_cast<T>(number);
  }

  template <std::integral T>
  void operator()(Key key, T& value) {
    if constexpr (std::is_same_v<T, uint64_t>)
      natural(key, value);
    else
      (*this)(key, value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
  }
  template <std::floating_point T>
  void operator()(Key key, T& value, double low, double high) {
    double number = value;
    real(key, number, low, high);
    value = static_cast<T>(number);
  }
  void operator()(Key key, double& value, const FigureRange& range) {
    real(key, value, range.least, range.most);
  }
  /// Any number, including infinities and NaN.
  void operator()(Key key, double& value) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    real(key, value, -kInfinity, kInfinity);
  }
  /// A one-line string of at most kLongestText bytes.
  virtual void operator()(Key key, std::string& value, const std::string& wrong = {}) = 0;
  /// A string of any length, possibly with several lines.
  virtual void block(Key key, std::string& value) = 0;
  /// An enumeration or index, stored as `words[value]`.
  template <class T, size_t N>
  void operator()(Key key, T& value, const std::array<const char*, N>& words) {
    auto place = static_cast<size_t>(value);
    word(key, place, words);
    value = static_cast<T>(place);
  }
  /// An enumeration, stored as a number from 0 to `last`.
  template <class Enum>
  requires std::is_enum_v<Enum>
  void operator()(Key key, Enum& value, Enum last) {
    auto number = static_cast<int64_t>(value);
    whole(key, number, 0, static_cast<int64_t>(last), {});
    value = static_cast<Enum>(number);
  }
  /// Three numbers, each at least `least`. Errors call them `noun`, a plural.
  virtual void operator()(Key key, Dim3& value, uint32_t least = 0,
                          const char* noun = "numbers") = 0;
  template <class T, class... Rules>
  void operator()(Key key, std::optional<T>& value, const Rules&... rules) {
    if (has(key, value.has_value())) (*this)(key, value ? *value : value.emplace(), rules...);
  }
  template <class T>
  requires requires(Archive& io, T& value) { describe(io, value); }
  void operator()(Key key, T& value) {
    table(key, [&](Archive& in) { describe(in, value); });
  }
  /// A value that may be absent; it is then null.
  template <class T>
  void operator()(Key key, std::shared_ptr<const T>& value) {
    if (!has(key, value != nullptr)) return;
    if (!reads()) return (*this)(key, const_cast<T&>(*value));
    auto read = std::make_shared<T>();
    (*this)(key, *read);
    value = std::move(read);
  }

  /// A list of tables; `one(Archive&, T&)` reads or writes one table.
  template <class T, class One>
  void list(Key key, std::vector<T>& values, size_t most, const One& one) {
    tables(key, values.size(), most, [&](Archive& io, size_t i) {
      one(io, i < values.size() ? values[i] : values.emplace_back());
    });
  }
  template <class T>
  requires requires(Archive& io, T& value) { describe(io, value); }
  void operator()(Key key, std::vector<T>& values, size_t most = kMostListed) {
    list(key, values, most, [](Archive& in, T& value) { describe(in, value); });
  }
  /// A list of one-line strings.
  virtual void operator()(Key key, std::vector<std::string>& values) = 0;
  /// All keys of this table; `one(const std::string&, T&)` reads or writes the value of one key.
  template <class T, class One>
  void each(std::map<std::string, T>& values, size_t most, const std::string& tooMany,
            const One& one) {
    for (const std::string& name : names(most, tooMany)) values.try_emplace(name);
    for (auto& [name, value] : values) one(name, value);
  }
  /// A table from names to integers.
  void operator()(Key key, std::map<std::string, int64_t>& values);

  virtual void operator()(Key key, std::vector<std::byte>& bytes) = 0;
  /// Numbers as one byte string: packed integers (packWhole() in bytes.h) or little-endian floats.
  template <class T>
  requires std::is_arithmetic_v<T>
  void operator()(Key key, std::vector<T>& values) {
    std::vector<std::byte> bytes;
    if (!reads()) bytes = packed(values);
    (*this)(key, bytes);
    if (reads() && good())
      check(unpack(bytes, values), key, std::string(key) + " does not hold numbers of its type");
  }

  static constexpr size_t kLongestText = 4096;
  static constexpr size_t kMostListed = size_t{1} << 20;

  static constexpr size_t kMostNumbers = size_t{1} << 24;  ///< In one byte string.

 private:
  template <class T>
  static std::vector<std::byte> packed(const std::vector<T>& values) {
    if constexpr (std::is_integral_v<T> && sizeof(T) > 1) {
      std::vector<int64_t> whole(values.size());
      for (size_t i = 0; i < values.size(); ++i) whole[i] = static_cast<int64_t>(values[i]);
      return packWhole(whole);
    } else {
      return toColumn(std::span<const T>(values));
    }
  }
  template <class T>
  static bool unpack(std::span<const std::byte> bytes, std::vector<T>& values) {
    if constexpr (std::is_integral_v<T> && sizeof(T) > 1) {
      const auto whole = unpackWhole(bytes, kMostNumbers);
      if (!whole) return false;
      values.resize(whole->size());
      for (size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<T>((*whole)[i]);
        if (sizeof(T) < sizeof(int64_t) && static_cast<int64_t>(values[i]) != (*whole)[i])
          return false;
      }
      return true;
    } else {
      auto column = fromColumn<T>(bytes);
      if (column) values = std::move(*column);
      return column.has_value();
    }
  }

  virtual void whole(Key key, int64_t& value, int64_t low, int64_t high,
                     const std::string& wrong) = 0;
  virtual void natural(Key key, uint64_t& value) = 0;
  virtual void real(Key key, double& value, double low, double high) = 0;
  virtual void word(Key key, size_t& place, std::span<const char* const> words) = 0;
  virtual void tables(Key key, size_t count, size_t most,
                      const std::function<void(Archive&, size_t)>& one) = 0;
  /// The keys of the table being read; empty when writing.
  virtual std::vector<std::string> names(size_t most, const std::string& tooMany) = 0;
};

inline void Archive::operator()(Key key, std::map<std::string, int64_t>& values) {
  table(key, [&](Archive& in) {
    in.each(values, kMostListed, "too many names",
            [&](const std::string& name, int64_t& value) { in(name, value); });
  });
}

}  // namespace tilestep
