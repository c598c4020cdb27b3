// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/nearest_name.h"

/// Typed access to a TOML document. Keeps the first error, with its line. toml++ is a heavy header:
/// include this file only in .cpp files.
namespace tilestep {

class TomlReader {
 public:
  /// `file` and `text` are for error messages. If the TOML does not start at the first line of
  /// `text`, call setLinesBefore().
  TomlReader(std::string file, std::string_view text) : file_(std::move(file)), text_(text) {}

  /// From now on, the TOML starts after this many lines of the text.
  void setLinesBefore(int lines) { linesBefore_ = lines; }
  /// The line of the text on which a TOML node begins.
  [[nodiscard]] int lineIn(const toml::source_region& where) const {
    return static_cast<int>(where.begin.line) + linesBefore_;
  }

  /// Keeps the first failure only; later failures mostly follow from it.
  void fail(const toml::source_region& where, std::string message);
  void fail(const toml::node& node, std::string message) {
    fail(node.source(), std::move(message));
  }
  void fail(int line, int column, std::string message);
  /// Keeps an Error of parseToml(), with `prefix` before its message.
  void failToParse(const Error& error, const std::string& prefix = {});
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  /// Fails if the table has a key that is not in `known`; the error names the nearest known key.
  void onlyKeys(const toml::table& table, const std::vector<std::string>& known,
                const std::string& where);

  /// For a missing key, these return the fallback or an empty value; a wrong type is an error.
  std::string text(const toml::table& table, const char* key, std::string fallback = {});
  int64_t integer(const toml::table& table, const char* key, int64_t fallback);
  bool boolean(const toml::table& table, const char* key, bool fallback);
  /// A string or an integer, as a string.
  std::string expression(const toml::table& table, const char* key);
  /// A string, an integer or a finite floating-point number, as a string.
  std::string real(const toml::table& table, const char* key);
  std::vector<std::string> expressions(const toml::table& table, const char* key);
  std::vector<int64_t> integers(const toml::table& table, const char* key);
  std::vector<std::string> texts(const toml::table& table, const char* key);
  /// The tables of a list, or a single table.
  std::vector<const toml::table*> tables(const toml::table& table, const char* key);

  /// The value that `choices` assigns to the key's string; fails if `choices` does not contain it.
  template <class T>
  T choice(const toml::table& table, const char* key, T fallback,
           std::initializer_list<std::pair<const char*, T>> choices) {
    const std::string chosen = text(table, key);
    if (chosen.empty()) return fallback;
    std::vector<std::string> names;
    for (const auto& [name, value] : choices) {
      if (chosen == name) return value;
      names.emplace_back(name);
    }
    fail(*table.get(key),
         std::string(key) + " is " + chosen + "; it must be one of " + listed(names));
    return fallback;
  }

  /// The keys in the order of the file (toml++ sorts them by name).
  static std::vector<std::string> keysInOrder(const toml::table& table);

 private:
  template <class Value>
  std::vector<Value> listOf(const toml::table& table, const char* key, const char* what);

  std::string file_;
  std::string_view text_;
  int linesBefore_ = 0;
  std::optional<Error> error_;
};

}  // namespace tilestep
