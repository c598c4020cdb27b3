// SPDX-License-Identifier: Apache-2.0
#include "model/text/figure_format.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/percent.h"

namespace tilestep::model {
namespace {

using Kind = FigureFormat::Kind;

constexpr double kWholeNumbers = 9007199254740992.0;  // 2^53

struct NamedUnit {
  std::string_view name;
  Unit unit;
};
constexpr std::array kUnits{NamedUnit{"FLOP/s", Unit::flopPerSecond},
                            NamedUnit{"B/s", Unit::bytesPerSecond},
                            NamedUnit{"FLOP/B", Unit::flopPerByte},
                            NamedUnit{"B", Unit::bytes},
                            NamedUnit{"s", Unit::seconds},
                            NamedUnit{"Hz", Unit::hertz},
                            NamedUnit{"%", Unit::ratio}};

/// Groups three digits before the decimal point.
std::string groupedDigits(std::string whole) {
  const size_t first = whole.front() == '-' ? 1 : 0;
  const size_t point = std::min(whole.find('.'), whole.size());
  for (size_t at = point; at > first + 3;) whole.insert(at -= 3, ",");
  return whole;
}

std::string decimalsOf(double value, int places) {
  std::array<char, 400> text{};
  std::snprintf(text.data(), text.size(), "%.*f", places, value);
  std::string whole = text.data();
  // A value that rounds to zero has no sign.
  if (whole.find_first_of("123456789") == std::string::npos) std::erase(whole, '-');
  return groupedDigits(std::move(whole));
}

/// "⁻⁷" for -7.
std::string raised(int exponent) {
  constexpr std::array kDigits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : std::to_string(exponent))
    text += c == '-' ? "⁻" : kDigits[static_cast<size_t>(c - '0')];
  return text;
}

std::string digitsOf(double value, int digits) {
  if (value == 0) return "0";
  std::array<char, 40> text{};
  // Rounds first, because 9.996 with three digits is 10.0, which has two digits before the point.
  std::snprintf(text.data(), text.size(), "%.*e", digits - 1, value);
  const std::string rounded = text.data();
  const size_t sign = rounded.find('e');
  const int exponent = std::atoi(rounded.c_str() + sign + 1);
  if (exponent < -3) return rounded.substr(0, sign) + "·10" + raised(exponent);
  return decimalsOf(std::strtod(rounded.c_str(), nullptr), std::max(0, digits - 1 - exponent));
}

/// Whether `words` is a digit and `thing`, in the plural except after 1: "3 digits".
bool counts(std::string_view words, std::string_view thing) {
  return words.size() >= 2 && words[0] >= '0' && words[0] <= '9' && words[1] == ' ' &&
         words.substr(2, thing.size()) == thing &&
         words.substr(2 + thing.size()) == (words[0] == '1' ? "" : "s");
}

}  // namespace

std::optional<FigureFormat> figureFormat(std::string_view words) {
  if (words.empty()) return FigureFormat{};
  if (words == "whole %") return FigureFormat{Kind::wholePercent, 0, Unit::none};
  for (const NamedUnit& named : kUnits)
    if (words == named.name) return FigureFormat{Kind::unit, 0, named.unit};
  if (counts(words, "digit") && words[0] != '0')
    return FigureFormat{Kind::digits, words[0] - '0', Unit::none};
  if (counts(words, "decimal")) return FigureFormat{Kind::decimals, words[0] - '0', Unit::none};
  return std::nullopt;
}

std::string figureFormats() {
  std::string text = "3 digits, 1 decimal, whole %";
  for (const NamedUnit& named : kUnits) text += ", " + std::string(named.name);
  return text;
}

std::string writtenInFull(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.10g", value);
  const std::string full = text.data();
  return full.find('e') == std::string::npos && std::isfinite(value) ? groupedDigits(full) : full;
}

std::string written(double value, const FigureFormat& format) {
  switch (format.kind) {
    case Kind::plain:
      return std::fabs(value) < kWholeNumbers && value == std::floor(value) ? decimalsOf(value, 0)
                                                                            : digitsOf(value, 3);
    case Kind::digits:
      return digitsOf(value, format.places);
    case Kind::decimals:
      return decimalsOf(value, format.places);
    case Kind::unit:
      return toText(value, format.unit);
    case Kind::wholePercent:
      return wholePercent(value);
  }
  return {};
}

}  // namespace tilestep::model
