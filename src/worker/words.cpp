// SPDX-License-Identifier: Apache-2.0
#include "worker/words.h"

#include <optional>

namespace tilestep::worker {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kEscapable = "\"\\$`";

Error broken(std::string_view command, const std::string& why) {
  return requestError("the worker command " + std::string(command) + " " + why);
}

}  // namespace

Result<std::vector<std::string>> splitWords(std::string_view command) {
  std::vector<std::string> words;
  std::optional<std::string> word;  // Optional, because "" is a word too.
  char quote = 0;
  for (size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    const bool last = i + 1 == command.size();
    if (quote == 0 && kBlanks.find(c) != std::string_view::npos) {
      if (word) words.push_back(*word);
      word.reset();
      continue;
    }
    if (!word) word.emplace();
    if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (quote == 0 && c == '\\') {
      if (last) return broken(command, "ends in a backslash; remove it or double it");
      *word += command[++i];
    } else if (quote == '"' && c == '\\' && !last &&
               kEscapable.find(command[i + 1]) != std::string_view::npos) {
      *word += command[++i];
    } else {
      *word += c;
    }
  }
  if (quote != 0) return broken(command, std::string("has an open ") + quote + "; close it");
  if (word) words.push_back(*word);
  if (words.empty()) return requestError("the worker command is empty; name a program to start");
  return words;
}

std::string joinWords(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace tilestep::worker
