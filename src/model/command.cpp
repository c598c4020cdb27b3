// SPDX-License-Identifier: Apache-2.0
#include "model/command.h"

#include <array>
#include <cmath>
#include <optional>

#include "base/number_text.h"
#include "trace/replay.h"

namespace tilestep::model {
namespace {

template <class T>
bool parse(std::string_view word, T& to) {
  const std::optional<T> value = numberIn<T>(word);
  if (value) to = *value;
  return value.has_value();
}

constexpr std::array<const char*, 3> kGranularities{"phase", "epoch", "event"};

bool needsQuotes(const std::string& word) {
  return word.empty() || word.find_first_of(" \"\\") != std::string::npos;
}

}  // namespace

std::string toWord(bool value) {
  return value ? "on" : "off";
}
std::string toWord(int64_t value) {
  return std::to_string(value);
}
std::string toWord(uint64_t value) {
  return std::to_string(value);
}
std::string toWord(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}
std::string toWord(const Dim3& value) {
  return toWord(value.x) + "," + toWord(value.y) + "," + toWord(value.z);
}
std::string toWord(trace::StepGranularity value) {
  return kGranularities[static_cast<size_t>(value)];
}

bool fromWord(const std::string& word, bool& to) {
  if (word != "on" && word != "off") return false;
  to = word == "on";
  return true;
}
bool fromWord(const std::string& word, int64_t& to) {
  return parse(word, to);
}
bool fromWord(const std::string& word, uint64_t& to) {
  return parse(word, to);
}
bool fromWord(const std::string& word, uint32_t& to) {
  return parse(word, to);
}
bool fromWord(const std::string& word, int& to) {
  return parse(word, to);
}
bool fromWord(const std::string& word, double& to) {
  double value = 0;
  if (!parse(word, value) || !std::isfinite(value)) return false;
  to = value;
  return true;
}
bool fromWord(const std::string& word, std::string& to) {
  to = word;
  return true;
}
bool fromWord(const std::string& word, Dim3& to) {
  const size_t first = word.find(',');
  if (first == std::string::npos) return false;
  const size_t second = word.find(',', first + 1);
  Dim3 value{0, 0, 0};
  const std::string_view text = word;
  const size_t yEnd = second == std::string::npos ? word.size() : second;
  const bool good = parse(text.substr(0, first), value.x) &&
                    parse(text.substr(first + 1, yEnd - first - 1), value.y) &&
                    (second == std::string::npos || parse(text.substr(second + 1), value.z));
  if (good) to = value;
  return good;
}
bool fromWord(const std::string& word, trace::StepGranularity& to) {
  for (size_t i = 0; i < kGranularities.size(); ++i) {
    if (word != kGranularities[i]) continue;
    to = static_cast<trace::StepGranularity>(i);
    return true;
  }
  return false;
}

std::string toText(const Command& command) {
  std::string text = command.feature + "." + command.setting;
  for (const std::string& word : command.words) {
    text += ' ';
    if (!needsQuotes(word)) {
      text += word;
      continue;
    }
    text += '"';
    for (const char c : word) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    text += '"';
  }
  return text;
}

std::optional<Command> parseCommand(std::string_view text) {
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size();) {
    if (text[at] == ' ') {
      ++at;
      continue;
    }
    std::string word;
    const bool quoted = text[at] == '"';
    if (quoted) ++at;
    const char end = quoted ? '"' : ' ';
    while (at < text.size() && text[at] != end) {
      if (quoted && text[at] == '\\' && ++at == text.size()) return std::nullopt;
      word += text[at++];
    }
    if (quoted && at++ == text.size()) return std::nullopt;  // No closing quote.
    if (quoted && at < text.size() && text[at] != ' ') return std::nullopt;
    words.push_back(std::move(word));
  }
  if (words.empty()) return std::nullopt;
  const size_t dot = words.front().find('.');
  if (dot == 0 || dot == std::string::npos || dot + 1 == words.front().size()) return std::nullopt;
  Command command{words.front().substr(0, dot), words.front().substr(dot + 1), {}};
  command.words.assign(words.begin() + 1, words.end());
  return command;
}

}  // namespace tilestep::model
