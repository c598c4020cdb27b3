// SPDX-License-Identifier: Apache-2.0
#include "grade/class_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/number_text.h"

namespace tilestep::grade {
namespace {

constexpr const char* kAnything = "…";

bool isWordCharacter(char c) {
  return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c < 0;
}

/// The first line of a message without "line 7: " at its beginning.
std::string_view withoutLine(std::string_view message) {
  message = message.substr(0, message.find('\n'));
  constexpr std::string_view kLine = "line ";
  if (!message.starts_with(kLine)) return message;
  size_t end = kLine.size();
  while (end < message.size() && isDigit(message[end])) ++end;
  if (end == kLine.size() || message.substr(end, 2) != ": ") return message;
  return message.substr(end + 2);
}

/// The position of the closing quote if a quoted string begins at `at`; else absent.
std::optional<size_t> endOfQuote(std::string_view text, size_t at) {
  const char quote = text[at];
  if (quote != '\'' && quote != '"') return std::nullopt;
  // Excludes the apostrophe of "the solution's".
  if (at > 0 && isWordCharacter(text[at - 1])) return std::nullopt;
  const size_t end = text.find(quote, at + 1);
  return end == std::string_view::npos ? std::nullopt : std::optional(end);
}

struct CounterWords {
  std::string_view counter;
  const char* one;
  const char* many;
  const char* what;
};

/// Words for a sentence such as "loads {} as many sectors of global memory as the model".
constexpr std::array<CounterWords, 10> kCounters{{
    {"global_load_requests", "makes", "make", "requests to load from global memory"},
    {"global_load_sectors", "loads", "load", "sectors of global memory"},
    {"global_load_bytes", "loads", "load", "bytes of global memory"},
    {"global_store_requests", "makes", "make", "requests to store to global memory"},
    {"global_store_sectors", "stores to", "store to", "sectors of global memory"},
    {"global_store_bytes", "stores", "store", "bytes to global memory"},
    {"shared_load_wavefronts", "needs", "need", "wavefronts to load from shared memory"},
    {"shared_store_wavefronts", "needs", "need", "wavefronts to store to shared memory"},
    {"barriers", "waits at", "wait at", "barriers"},
    {"thread_instructions", "executes", "execute", "instructions of threads"},
}};

CounterWords wordsOf(const std::string& counter) {
  const auto at = std::ranges::find(kCounters, counter, &CounterWords::counter);
  return at == kCounters.end() ? CounterWords{counter, "counts", "count", counter.c_str()} : *at;
}

std::string numberOfTimes(double times) {
  return times < 9.95 ? fmt::format("{:.2g}", times) : fmt::format("{:.0f}", times);
}

/// One hand-in of a group.
struct Member {
  const Grade* grade;
  const Trouble* trouble;
};

/// The kind, the common part of the details, and the factor.
using Key = std::tuple<std::string, std::string, int64_t>;

Key keyOf(const Trouble& trouble) {
  const bool isCount = trouble.kind == "count";
  return {trouble.kind, isCount ? trouble.detail : withoutNames(trouble.detail),
          !isCount             ? 0
          : trouble.times == 0 ? -1
                               : std::llround(std::min(trouble.times, 1e9))};
}

std::string countWords(const std::vector<Member>& members) {
  const auto times = [](const Member& member) { return member.trouble->times; };
  const auto [least, most] = std::ranges::minmax(members, {}, times);
  const CounterWords words = wordsOf(members.front().trouble->detail);
  const bool isOne = members.size() == 1;
  const std::string verb =
      fmt::format("{} right, but {}", isOne ? "is" : "are", isOne ? words.one : words.many);
  if (most.trouble->times == 0) return fmt::format("{} {}, and the model none", verb, words.what);
  const std::string low = numberOfTimes(least.trouble->times);
  const std::string high = numberOfTimes(most.trouble->times);
  return fmt::format("{} {}{} times as many {} as the model", verb, low,
                     low == high ? "" : " to " + high, words.what);
}

/// The group's trouble, with the part of its detail that all members share.
std::string groupWords(const Key& key, const std::vector<Member>& members) {
  const auto& [kind, shared, times] = key;
  if (kind == "count") return countWords(members);
  const TroubleWords* words = troubleWords(kind);
  const std::string does = words == nullptr ? kind : members.size() > 1 ? words->many : words->one;
  const auto exact = [](const Member& member) { return withoutLine(member.trouble->detail); };
  const std::string_view first = exact(members.front());
  const bool isSame =
      std::ranges::all_of(members, [&](const Member& member) { return exact(member) == first; });
  const std::string detail = isSame ? std::string(first) : shared;
  return detail.empty() ? does : does + ": " + detail;
}

std::string groupSentence(const Key& key) {
  const auto& [kind, shared, times] = key;
  if (kind == "count")
    return "The counter " + shared +
           " is compared over all launches and over the launches with the default "
           "tunables; the larger factor is shown.";
  const TroubleWords* words = troubleWords(kind);
  return words == nullptr ? "" : words->sentence;
}

TroubleGroup groupOf(const Key& key, std::vector<Member> members) {
  // The typical hand-in is the one with the fewest troubles, then the one with the first id.
  std::ranges::sort(members, {}, [](const Member& member) {
    return std::pair(member.grade->troubles->size(), member.grade->id);
  });
  TroubleGroup group{std::get<0>(key),
                     groupWords(key, members),
                     groupSentence(key),
                     {},
                     members.front().grade->id};
  for (const Member& member : members) group.ids.push_back(member.grade->id);
  std::ranges::sort(group.ids);
  return group;
}

std::vector<EqualFiles> equalFiles(const std::vector<Grade>& grades) {
  std::map<std::string, EqualFiles> byHash;
  for (const Grade& grade : grades)
    if (!grade.hash.empty()) byHash[grade.hash].ids.push_back(grade.id);
  std::vector<EqualFiles> equal;
  for (auto& [hash, files] : byHash) {
    if (files.ids.size() < 2) continue;
    std::ranges::sort(files.ids);
    equal.push_back(std::move(files));
  }
  std::ranges::sort(equal, [](const EqualFiles& a, const EqualFiles& b) {
    return std::tuple(b.ids.size(), a.ids) < std::tuple(a.ids.size(), b.ids);
  });
  return equal;
}

}  // namespace

std::string withoutNames(const std::string& message) {
  const std::string_view text = withoutLine(message);
  std::string same;
  for (size_t i = 0; i < text.size(); ++i) {
    if (const std::optional<size_t> end = endOfQuote(text, i)) {
      // A quote without letters, as in "expected a ';'", is kept.
      const std::string_view quoted = text.substr(i, *end - i + 1);
      const bool isName = std::ranges::any_of(quoted, isWordCharacter);
      same += isName ? quoted[0] + std::string(kAnything) + quoted[0] : std::string(quoted);
      i = *end;
    } else if (isDigit(text[i]) && (i == 0 || !isWordCharacter(text[i - 1]))) {
      while (i + 1 < text.size() && isWordCharacter(text[i + 1])) ++i;
      same += kAnything;
    } else {
      same += text[i];
    }
  }
  return same;
}

ClassGroups groupsOf(const std::vector<Grade>& grades) {
  ClassGroups groups;
  std::map<Key, std::vector<Member>> byKey;
  for (const Grade& grade : grades) {
    if (!grade.troubles) {
      groups.unknown.push_back(grade.id);
      continue;
    }
    for (const Trouble& trouble : *grade.troubles) {
      std::vector<Member>& members = byKey[keyOf(trouble)];
      const bool isIn = !members.empty() && members.back().grade == &grade;
      if (!isIn) members.push_back({&grade, &trouble});
    }
  }
  for (auto& [key, members] : byKey) groups.troubles.push_back(groupOf(key, std::move(members)));
  std::ranges::sort(groups.troubles, [](const TroubleGroup& a, const TroubleGroup& b) {
    return std::tuple(b.ids.size(), troubleOrder(a.kind), a.words) <
           std::tuple(a.ids.size(), troubleOrder(b.kind), b.words);
  });
  groups.equal = equalFiles(grades);
  std::ranges::sort(groups.unknown);
  return groups;
}

}  // namespace tilestep::grade
