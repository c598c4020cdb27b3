// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "compile/kernel.h"

/// The legal values of a tunable: those it lists, or every step of its range (the front matter's
/// parser rejects steps below 1).
namespace tilestep::compile {

/// The default of every tunable.
[[nodiscard]] Bindings defaultTunables(const KernelSpec& spec);
[[nodiscard]] bool takes(const TunableSpec& tunable, int64_t value);
[[nodiscard]] int64_t valueCount(const TunableSpec& tunable);
/// The largest value; a range's maximum need not be on a step.
[[nodiscard]] int64_t lastValue(const TunableSpec& tunable);
/// Ascending. A range may be long: valueCount() gives the length.
[[nodiscard]] std::vector<int64_t> allValues(const TunableSpec& tunable);
/// The powers of two among them, ascending.
[[nodiscard]] std::vector<int64_t> doublings(const TunableSpec& tunable);
/// The value nearest to `value`.
[[nodiscard]] int64_t nearestValue(const TunableSpec& tunable, int64_t value);
/// The value `by` steps after `value`, or before it if `by` is negative; at most the last or the
/// first.
[[nodiscard]] int64_t steppedValue(const TunableSpec& tunable, int64_t value, int64_t by);

}  // namespace tilestep::compile
