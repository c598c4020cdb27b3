// SPDX-License-Identifier: Apache-2.0
#include "guard/masks.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <regex>
#include <utility>

namespace tilestep::tests {

using nlohmann::json;

namespace {

/// The last digits of a computed figure depend on the C library's logarithms and powers.
double rounded(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.10g", value);
  return std::strtod(text, nullptr);
}

void mask(json& tree, const Replacements& replacements) {
  if (tree.is_structured())
    for (json& part : tree) mask(part, replacements);
  if (tree.is_string()) tree = maskedText(tree.get<std::string>(), replacements);
  if (tree.is_number_float() && std::isfinite(tree.get<double>()))
    tree = rounded(tree.get<double>());
}

}  // namespace

std::string maskedText(std::string text, const Replacements& replacements) {
  for (const auto& [from, to] : replacements)
    for (size_t at = 0; !from.empty() && (at = text.find(from, at)) != std::string::npos;
         at += to.size())
      text.replace(at, from.size(), to);
  return text;
}

json maskedState(const std::string& state, const Replacements& replacements) {
  json tree = json::parse(state);
  // The series of these plots are computed from stored fields; tests/unit checks them.
  constexpr std::pair<const char*, const char*> kSeries[] = {
      {"roofline", "points"},  {"roofline", "marks"},  {"occupancy", "bars"},
      {"occupancy", "curves"}, {"occupancy", "steps"}, {"elsewhere", "bounds"}};
  for (const auto& [part, series] : kSeries)
    if (tree.contains(part) && tree.at(part).is_object()) tree.at(part).erase(series);
  mask(tree, replacements);
  return tree;
}

/// Replaces each run's random number, and its time. "run 1" replaces the first run's number.
std::string maskedPins(const std::string& toml) {
  static const std::regex id("\\nid = '([0-9a-f]{16})'"), time("pinned = '[^']*'");
  std::string text = toml;
  size_t number = 0;
  for (auto found = std::sregex_iterator(toml.begin(), toml.end(), id);
       found != std::sregex_iterator(); ++found)
    text = maskedText(text, {{(*found)[1], "run " + std::to_string(++number)}});
  return std::regex_replace(text, time, "pinned = '(now)'");
}

}  // namespace tilestep::tests
