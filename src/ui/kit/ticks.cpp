// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/ticks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace tilestep::ui {
namespace {

constexpr double kMostTicks = 10'000;
constexpr double kSlack = 1e-9;  ///< Keeps ticks at the ends from being lost to rounding.

double stepFor(double span, int most) {
  return roundUp(span / std::max(most, 1) * (1 - kSlack));
}

}  // namespace

double roundUp(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= value * (1 - kSlack)) return factor * power;
  return 10 * power;
}

std::string tickText(double value) {
  struct Prefix {
    double scale;
    const char* name;
  };
  constexpr std::array<Prefix, 5> kPrefixes{
      {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}, {1, ""}}};
  double scale = 1;
  const char* name = "";
  for (const Prefix& prefix : kPrefixes) {
    if (std::fabs(value) < prefix.scale * (1 - kSlack)) continue;
    scale = prefix.scale;
    name = prefix.name;
    break;
  }
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.3g%s", value / scale, name);
  return text.data();
}

std::vector<Tick> linearTicks(double low, double high, int most, bool whole) {
  std::vector<Tick> ticks;
  if (!(low < high) || !std::isfinite(high - low)) return ticks;
  const double step = std::max(stepFor(high - low, most), whole ? 1.0 : 0.0);
  const double first = std::ceil(low / step - kSlack);
  const double last = std::floor(high / step + kSlack);
  const double more = last - first;  // Whole; the numbers themselves may be too large to count by.
  if (!(more >= 0 && more <= kMostTicks)) return ticks;
  for (int i = 0; i <= static_cast<int>(more); ++i) {
    const double at = first + i;
    const double value = at == 0 ? 0 : at * step;  // No "-0".
    ticks.push_back({value, tickText(value)});
  }
  return ticks;
}

std::vector<Tick> logTicks(double low, double high, int most) {
  std::vector<Tick> ticks;
  if (!(0 < low && low < high) || !std::isfinite(high)) return ticks;
  const int first = static_cast<int>(std::floor(std::log10(low) + kSlack));
  const int last = static_cast<int>(std::ceil(std::log10(high) - kSlack));
  const int every =
      std::max(1, static_cast<int>(std::ceil((last - first + 1.0) / std::max(most, 1))));
  const bool few = std::log10(high / low) < 2;
  for (int power = first; power <= last; ++power) {
    for (int factor = 1; factor < 10; ++factor) {
      const double value = factor * std::pow(10, power);
      if (value < low * (1 - kSlack) || value > high * (1 + kSlack)) continue;
      const bool labelled =
          factor == 1 ? (power - first) % every == 0 : few && (factor == 2 || factor == 5);
      ticks.push_back({value, labelled ? tickText(value) : std::string()});
    }
  }
  return ticks;
}

}  // namespace tilestep::ui
