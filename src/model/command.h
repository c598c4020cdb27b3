// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/dim3.h"

namespace tilestep::trace {
enum class StepGranularity : uint8_t;  // trace/replay.h
}

/// User requests as values. Panels, keys, lessons and tests all issue commands.
namespace tilestep::model {

struct Command {
  std::string feature;  ///< A feature's id, or a part of the model: "live".
  std::string setting;  ///< The action within it: "pause".
  std::vector<std::string> words;
  bool operator==(const Command&) const = default;
};

// Formats one word of a command. Numbers are decimal; a position is `x,y,z` or `x,y`.
[[nodiscard]] std::string toWord(bool value);  ///< "on" or "off".
[[nodiscard]] std::string toWord(int64_t value);
[[nodiscard]] std::string toWord(uint64_t value);
[[nodiscard]] std::string toWord(double value);
[[nodiscard]] std::string toWord(const Dim3& value);
[[nodiscard]] std::string toWord(trace::StepGranularity value);  ///< "epoch".
[[nodiscard]] inline std::string toWord(std::nullopt_t /*none*/) {
  return "none";
}
[[nodiscard]] inline std::string toWord(uint32_t value) {
  return toWord(uint64_t{value});
}
[[nodiscard]] inline std::string toWord(int value) {
  return toWord(int64_t{value});
}
[[nodiscard]] inline std::string toWord(std::string_view value) {
  return std::string(value);
}
[[nodiscard]] inline std::string toWord(const std::string& value) {
  return value;
}
[[nodiscard]] inline std::string toWord(const char* value) {
  return value;
}
template <class T>
[[nodiscard]] std::string toWord(const std::optional<T>& value) {
  return value ? toWord(*value) : "none";
}

// Parses one word. Returns false, and leaves `to` unchanged, if the word is not such a value.
bool fromWord(const std::string& word, bool& to);
bool fromWord(const std::string& word, int64_t& to);
bool fromWord(const std::string& word, uint64_t& to);
bool fromWord(const std::string& word, uint32_t& to);
bool fromWord(const std::string& word, int& to);
bool fromWord(const std::string& word, double& to);  ///< Rejects infinity and NaN.
bool fromWord(const std::string& word, std::string& to);
bool fromWord(const std::string& word, Dim3& to);
bool fromWord(const std::string& word, trace::StepGranularity& to);
template <class T>
bool fromWord(const std::string& word, std::optional<T>& to) {
  T value{};
  if (word == "none") return to.reset(), true;
  if (!fromWord(word, value)) return false;
  to = std::move(value);
  return true;
}

/// Builds a command. `name` is the feature and the setting, separated by a dot:
/// command("live.pause", true).
template <class... Values>
[[nodiscard]] Command command(std::string_view name, const Values&... values) {
  const size_t dot = name.find('.');
  return {std::string(name.substr(0, dot)), std::string(name.substr(dot + 1)), {toWord(values)...}};
}

/// Formats a command on one line: `live.pause on`. Words that are empty or contain blanks or quotes
/// are quoted.
[[nodiscard]] std::string toText(const Command& command);
/// The inverse of toText; absent if the text is not a command.
[[nodiscard]] std::optional<Command> parseCommand(std::string_view text);

struct Model;  // model/model.h

/// Maps each setting to a member function of `Self`. The function takes the model and one argument
/// per word, and returns nothing, or false if it had no effect.
template <class Self>
class CommandTable {
 public:
  template <class Result, class... Args>
  CommandTable& add(std::string_view setting, Result (Self::*does)(Model&, Args...)) {
    entries_.push_back({setting, [does](Self& self, Model& model, const Command& command) {
                          return call(self, does, model, command.words,
                                      std::index_sequence_for<Args...>());
                        }});
    return *this;
  }
  /// False if the setting does not exist, if the words do not match its arguments, or if the
  /// function had no effect.
  bool apply(Self& self, Model& model, const Command& command) const {
    for (const Entry& entry : entries_)
      if (entry.setting == command.setting) return entry.call(self, model, command);
    return false;
  }

 private:
  struct Entry {
    std::string_view setting;
    std::function<bool(Self&, Model&, const Command&)> call;
  };

  template <class Result, class... Args, size_t... kAt>
  static bool call(Self& self, Result (Self::*does)(Model&, Args...), Model& model,
                   const std::vector<std::string>& words, std::index_sequence<kAt...> /*unused*/) {
    if (words.size() != sizeof...(Args)) return false;
    std::tuple<std::remove_cvref_t<Args>...> values;
    if (!(fromWord(words[kAt], std::get<kAt>(values)) && ...)) return false;
    if constexpr (std::is_same_v<Result, bool>)
      return (self.*does)(model, std::get<kAt>(values)...);
    (self.*does)(model, std::get<kAt>(values)...);
    return true;
  }

  std::vector<Entry> entries_;
};

}  // namespace tilestep::model
