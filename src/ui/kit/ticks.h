// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

/// Tick marks of plot axes: pure functions.
namespace tilestep::ui {

struct Tick {
  double value = 0;
  std::string label;  ///< Empty on minor ticks.
};

/// A value with at most `digits` digits and an SI prefix, but no unit: "1", "10", "100 k", "2.5 G".
[[nodiscard]] std::string tickText(double value, int digits = 3);

/// Ticks in [low, high], where low < high, at steps of 1, 2 or 5 times a power of ten: about `most`
/// labels, and at least three. With `whole`, ticks are only at whole numbers, and there may be
/// fewer.
[[nodiscard]] std::vector<Tick> linearTicks(double low, double high, int most, bool whole = false);

/// Powers of ten within [low, high], thinned to about `most` labels, with unlabelled ticks at 2 … 9
/// between them. There are at least three labels: a short axis has them at 1, 2 and 5, or at round
/// steps. 0 < low < high.
[[nodiscard]] std::vector<Tick> logTicks(double low, double high, int most);

/// The smallest 1, 2 or 5 times a power of ten that is at least `value` > 0.
[[nodiscard]] double roundUp(double value);

}  // namespace tilestep::ui
