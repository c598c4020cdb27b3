// SPDX-License-Identifier: Apache-2.0
#include "base/figure.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace tilestep {
namespace {

std::string_view symbolOf(Unit unit) {
  switch (unit) {
    case Unit::none:
      return "";
    case Unit::count:
      return "";
    case Unit::bytes:
      return "B";
    case Unit::seconds:
      return "s";
    case Unit::bytesPerSecond:
      return "B/s";
    case Unit::flop:
      return "FLOP";
    case Unit::flopPerSecond:
      return "FLOP/s";
    case Unit::flopPerByte:
      return "FLOP/B";
    case Unit::hertz:
      return "Hz";
    case Unit::ratio:
      return "%";
  }
  return "";
}

/// No exponent: three significant digits if 1 <= |value| < 1000, all integer digits if larger.
std::string threeDigits(double value) {
  const double size = std::fabs(value);
  const int decimals = size >= 99.95 || value == 0 ? 0 : size >= 9.995 ? 1 : 2;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  return text.data();
}

/// Without an SI prefix; with an exponent if the value is very small or very large.
std::string plain(double value, std::string_view symbol) {
  const double size = std::fabs(value);
  std::string text = threeDigits(value);
  if (size != 0 && (size < 0.0995 || size >= 1e6)) {
    std::array<char, 32> digits{};
    std::snprintf(digits.data(), digits.size(), "%.3g", value);
    text = digits.data();
  }
  return symbol.empty() ? text : text + " " + std::string(symbol);
}

}  // namespace

std::string toText(double value, Unit unit) {
  const std::string_view symbol = symbolOf(unit);
  if (!std::isfinite(value)) return "–";
  if (unit == Unit::ratio) return threeDigits(value * 100) + " %";
  const bool bare = unit == Unit::none || unit == Unit::count;
  if (bare && std::fabs(value) < 10000 && value == std::floor(value)) {
    return std::to_string(static_cast<int>(value));
  }
  if (unit == Unit::none || unit == Unit::flopPerByte) return plain(value, symbol);
  struct Prefix {
    double scale;
    const char* name;
  };
  constexpr std::array<Prefix, 9> kPrefixes{{{1e15, "P"},
                                             {1e12, "T"},
                                             {1e9, "G"},
                                             {1e6, "M"},
                                             {1e3, "k"},
                                             {1, ""},
                                             {1e-3, "m"},
                                             {1e-6, "µ"},
                                             {1e-9, "n"}}};
  const double size = std::fabs(value);
  const Prefix* chosen = &kPrefixes[5];
  for (const Prefix& prefix : kPrefixes) {
    chosen = &prefix;
    if (size == 0) {
      chosen = &kPrefixes[5];
      break;
    }
    if (size >= prefix.scale * 0.9995) break;
    if (prefix.scale == 1 && (unit == Unit::count || unit == Unit::bytes)) break;
  }
  const std::string suffix = std::string(chosen->name) + std::string(symbol);
  const std::string digits = threeDigits(value / chosen->scale);
  return suffix.empty() ? digits : digits + " " + suffix;
}

std::string toText(const Figure& figure) {
  return toText(figure.value, figure.unit);
}

std::string_view toText(Origin origin) {
  switch (origin) {
    case Origin::measured:
      return "measured";
    case Origin::counted:
      return "counted";
    case Origin::computed:
      return "computed";
  }
  return "";
}

std::string grouped(uint64_t value) {
  std::string digits = std::to_string(value);
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string roughly(double seconds) {
  const auto whole = std::llround(std::ceil(seconds));
  if (whole < 100) return std::to_string(whole) + " s";
  const auto minutes = (whole + 30) / 60;
  if (minutes < 100) return std::to_string(minutes) + " min";
  return std::to_string(minutes / 60) + " h " + std::to_string(minutes % 60) + " min";
}

std::string plural(uint64_t count, const std::string& one) {
  return grouped(count) + " " + one + (count == 1 ? "" : "s");
}

}  // namespace tilestep
