// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/ticks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace tilestep::ui {
namespace {

constexpr double kMostTicks = 10'000;
constexpr size_t kLeastTicks = 3;  ///< An axis with fewer ticks would not show its scale.
constexpr double kSlack = 1e-9;    ///< Keeps ticks at the ends from being lost to rounding.

double roundStep(double span, int most) {
  return roundUp(span / std::max(most, 1) * (1 - kSlack));
}

std::vector<Tick> ticksBy(double step, double low, double high) {
  std::vector<Tick> ticks;
  const double first = std::ceil(low / step - kSlack);
  const double last = std::floor(high / step + kSlack);
  // The loop counts multiples of the step, because adding a step to a very large value may not
  // change it.
  const double more = last - first;
  if (!(more >= 0 && more <= kMostTicks)) return ticks;
  const double largest = std::max(std::fabs(low), std::fabs(high));
  const double digits = 1 + std::floor(std::log10(largest)) - std::floor(std::log10(step));
  for (int i = 0; i <= static_cast<int>(more); ++i) {
    const double at = first + i;
    const double value = at == 0 ? 0 : at * step;  // Avoids "-0".
    ticks.push_back({value, tickText(value, std::clamp(static_cast<int>(digits), 3, 15))});
  }
  return ticks;
}

bool isWithin(double value, double low, double high) {
  return value >= low * (1 - kSlack) && value <= high * (1 + kSlack);
}

/// Returns the multiples of a power of ten that have a label: fewer if the axis has more decades,
/// but enough for kLeastTicks labels.
std::vector<int> labelledFactors(double low, double high) {
  const std::vector<std::vector<int>> choices{{1}, {1, 2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9}};
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::ceil(std::log10(high)));
  for (const std::vector<int>& factors : choices) {
    size_t count = 0;
    for (int power = first; power <= last; ++power)
      count += static_cast<size_t>(std::ranges::count_if(
          factors, [&](int factor) { return isWithin(factor * std::pow(10, power), low, high); }));
    if (count >= kLeastTicks) return factors;
  }
  return {};
}

}  // namespace

double roundUp(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= value * (1 - kSlack)) return factor * power;
  return 10 * power;
}

std::string tickText(double value, int digits) {
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
  std::snprintf(text.data(), text.size(), "%.*g%s", digits, value / scale, name);
  return text.data();
}

std::vector<Tick> linearTicks(double low, double high, int most, bool whole) {
  if (!(low < high) || !std::isfinite(high - low)) return {};
  std::vector<Tick> ticks;
  for (int steps = std::max(most, 1); ticks.size() < kLeastTicks && steps < 100; ++steps) {
    const double step = std::max(roundStep(high - low, steps), whole ? 1.0 : 0.0);
    ticks = ticksBy(step, low, high);
    if (whole && step <= 1) break;
  }
  return ticks;
}

std::vector<Tick> logTicks(double low, double high, int most) {
  std::vector<Tick> ticks;
  if (!(0 < low && low < high) || !std::isfinite(high)) return ticks;
  const std::vector<int> factors = labelledFactors(low, high);
  if (factors.empty()) return linearTicks(low, high, most);
  const int first = static_cast<int>(std::ceil(std::log10(low) - kSlack));
  const int last = static_cast<int>(std::floor(std::log10(high) + kSlack));
  // If there are many decades, only every second or third has a label.
  const int decades = last - first + 1, labels = std::max<int>(most, kLeastTicks);
  const int every = std::clamp((decades + labels - 1) / labels, 1, std::max((decades - 1) / 2, 1));
  for (int power = first - 1; power <= last; ++power)
    for (int factor = 1; factor < 10; ++factor) {
      const double value = factor * std::pow(10, power);
      if (!isWithin(value, low, high)) continue;
      const bool isLabelled =
          std::ranges::find(factors, factor) != factors.end() && (power - first) % every == 0;
      ticks.push_back({value, isLabelled ? tickText(value) : std::string()});
    }
  return ticks;
}

}  // namespace tilestep::ui
