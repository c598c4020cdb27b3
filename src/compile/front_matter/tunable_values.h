// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "compile/kernel.h"

/// The legal values of a tunable: its list, or every step of its range. Steps are at least 1.
namespace tilestep::compile {

[[nodiscard]] Bindings defaultTunables(const KernelSpec& spec);
[[nodiscard]] bool takes(const TunableSpec& tunable, int64_t value);
[[nodiscard]] int64_t valueCount(const TunableSpec& tunable);
/// The largest legal value; the maximum of a range need not be on a step.
[[nodiscard]] int64_t lastValue(const TunableSpec& tunable);
/// All legal values, ascending. May be very many; see valueCount().
[[nodiscard]] std::vector<int64_t> allValues(const TunableSpec& tunable);
/// The legal values that are powers of two, ascending.
[[nodiscard]] std::vector<int64_t> doublings(const TunableSpec& tunable);
/// The legal value nearest to `value`.
[[nodiscard]] int64_t nearestValue(const TunableSpec& tunable, int64_t value);
/// The legal value `by` steps after `value` (before it if negative), but not beyond the ends.
[[nodiscard]] int64_t steppedValue(const TunableSpec& tunable, int64_t value, int64_t by);

}  // namespace tilestep::compile
