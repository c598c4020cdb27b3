// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/dim3.h"
#include "base/result.h"

/// The files that a session keeps. A type is described once, by `describe(Archive&, T&)`: each
/// key, its member and what may stand there. The text that is written follows from it, and so does
/// the reading, in which all is checked.
namespace tilestep::model {

/// A table that is being written or read. A field that the text lacks keeps the value that it had.
class Archive {
 public:
  using Key = const std::string&;
  using Body = std::function<void(Archive&)>;
  /// What errors say of a table: its name (else its key), and what it should have been.
  struct TableWords {
    std::string where, wrong;
  };

  virtual ~Archive() = default;

  /// Whether the key is in the text; where one is written, whether it is to be: `there`.
  virtual bool has(Key key, bool there) = 0;
  /// What was read is an error, at the key, where it is not right.
  virtual void check(bool right, Key key, const std::string& sentence) = 0;
  /// Where the key is missing, that is an error.
  void need(Key key, const std::string& sentence) { check(has(key, true), key, sentence); }
  /// A table in this one.
  virtual void table(Key key, const Body& body, const TableWords& words = {}) = 0;

  virtual void operator()(Key key, bool& value) = 0;
  /// Each of `low` to `high`; an error says `wrong`, where given, in place of what is usual.
  template <std::integral T>
  void operator()(Key key, T& value, int64_t low, int64_t high, const std::string& wrong = {}) {
    auto number = static_cast<int64_t>(value);
    whole(key, number, low, high, wrong);
    value = static_cast<T>(number);
  }
  template <std::floating_point T>
  void operator()(Key key, T& value, double low, double high) {
    double number = value;
    real(key, number, low, high);
    value = static_cast<T>(number);
  }
  /// At most kLongestText bytes, none of them zero; `wrong` as above.
  virtual void operator()(Key key, std::string& value, const std::string& wrong = {}) = 0;
  /// The word at the value's place in `words`.
  template <class T, size_t N>
  void operator()(Key key, T& value, const std::array<const char*, N>& words) {
    auto place = static_cast<size_t>(value);
    word(key, place, words);
    value = static_cast<T>(place);
  }
  /// Three numbers from `least` on, which have to be there; `noun` is what they are.
  virtual void operator()(Key key, Dim3& value, uint32_t least, const char* noun) = 0;
  template <class T, class... Rules>
  void operator()(Key key, std::optional<T>& value, const Rules&... rules) {
    if (has(key, value.has_value())) (*this)(key, value ? *value : value.emplace(), rules...);
  }
  /// The tables of a list, each by `one(Archive&, T&)`.
  template <class T, class One>
  void list(Key key, std::vector<T>& values, size_t most, const One& one) {
    tables(key, values.size(), most, [&](Archive& io, size_t i) {
      one(io, i < values.size() ? values[i] : values.emplace_back());
    });
  }
  /// This table's own names, each by `one(const std::string&, T&)`.
  template <class T, class One>
  void each(std::map<std::string, T>& values, size_t most, const std::string& tooMany,
            const One& one) {
    for (const std::string& name : names(most, tooMany)) values.try_emplace(name);
    for (auto& [name, value] : values) one(name, value);
  }

  static constexpr size_t kLongestText = 4096;

 private:
  virtual void whole(Key key, int64_t& value, int64_t low, int64_t high,
                     const std::string& wrong) = 0;
  virtual void real(Key key, double& value, double low, double high) = 0;
  virtual void word(Key key, size_t& place, std::span<const char* const> words) = 0;
  virtual void tables(Key key, size_t there, size_t most,
                      const std::function<void(Archive&, size_t)>& one) = 0;
  /// Those in the text; none where one is written.
  virtual std::vector<std::string> names(size_t most, const std::string& tooMany) = 0;
};

/// The version that a file begins with; any other is an error.
void describeVersion(Archive& io, int version);

/// TOML, behind `comment`. What `body` describes it may change: give it a copy.
[[nodiscard]] std::string toTomlText(const std::string& comment, const Archive::Body& body);

/// Reads text from anywhere. What is no TOML, an unknown key, a wrong type and a value out of its
/// range are errors, with file, line and reason; of several, the first that `body` comes to. After
/// an error what was read is not to be used.
Status readToml(std::string_view text, const std::string& file, const Archive::Body& body);

}  // namespace tilestep::model
