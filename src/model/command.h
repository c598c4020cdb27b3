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

/// What a person asks for, as a value: panels, keys, lessons and tests all speak it.
namespace tilestep::model {

/// What to do, and the words that say how.
struct Command {
  std::string feature;  ///< A feature's id, or a part of the model: "live".
  std::string setting;  ///< What of it: "pause".
  std::vector<std::string> words;
  bool operator==(const Command&) const = default;
};

// One word of a command. Numbers are decimal; a place is `x,y,z` or `x,y`.
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

// False, and `to` as it was, where the word says no such value.
bool fromWord(const std::string& word, bool& to);
bool fromWord(const std::string& word, int64_t& to);
bool fromWord(const std::string& word, uint64_t& to);
bool fromWord(const std::string& word, uint32_t& to);
bool fromWord(const std::string& word, int& to);
bool fromWord(const std::string& word, double& to);  ///< Finite.
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

/// `name` is feature and setting, with a dot between them: command("live.pause", true).
template <class... Values>
[[nodiscard]] Command command(std::string_view name, const Values&... values) {
  const size_t dot = name.find('.');
  return {std::string(name.substr(0, dot)), std::string(name.substr(dot + 1)), {toWord(values)...}};
}

/// On one line: `live.pause on`. Words with blanks, quotes or nothing in them stand in quotes.
[[nodiscard]] std::string toText(const Command& command);
/// The inverse of toText; nothing where the text is no command.
[[nodiscard]] std::optional<Command> parseCommand(std::string_view text);

struct Model;  // model/model.h

/// What `Self` does for each setting: member functions that take the model and one value a word,
/// and return nothing, or false where they did nothing.
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
  /// False where there is no such setting, where the words do not fit, and where nothing came of
  /// it.
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
