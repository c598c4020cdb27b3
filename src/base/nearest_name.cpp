// SPDX-License-Identifier: Apache-2.0
#include "base/nearest_name.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <numeric>

namespace tilestep {
namespace {

int lower(char c) {
  return std::tolower(static_cast<unsigned char>(c));
}

bool isNameLetter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

}  // namespace

size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t changed = diagonal + (lower(a[i]) != lower(b[j]));
      diagonal = row[j + 1];
      row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

std::string nearestName(std::string_view name, const std::vector<std::string>& candidates) {
  // Three letters or more are probably meant as a prefix.
  if (name.size() >= 3) {
    for (const std::string& candidate : candidates) {
      if (candidate.starts_with(name)) return candidate;
    }
  }
  std::string best;
  size_t bestDistance = SIZE_MAX;
  for (const std::string& candidate : candidates) {
    const size_t distance = editDistance(name.substr(0, 100), candidate);
    if (distance < bestDistance) best = candidate;
    bestDistance = std::min(bestDistance, distance);
  }
  return best;
}

std::string listed(const std::vector<std::string>& names) {
  if (names.empty()) return "nothing";
  std::string text = names[0];
  for (size_t i = 1; i < names.size(); ++i) {
    text += (i + 1 == names.size() ? " and " : ", ") + names[i];
  }
  return text;
}

std::string listedFirst(std::vector<std::string> names) {
  constexpr size_t kMost = 20;
  if (names.size() <= kMost) return listed(names);
  const std::string more = std::to_string(names.size() - kMost) + " more";
  names.resize(kMost);
  names.push_back(more);
  return listed(names);
}

bool isIdentifier(std::string_view text) {
  return !text.empty() && text.size() <= 64 && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), isNameLetter);
}

}  // namespace tilestep
