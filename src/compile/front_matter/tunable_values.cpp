// SPDX-License-Identifier: Apache-2.0
#include "compile/front_matter/tunable_values.h"

#include <algorithm>
#include <cstdlib>

namespace tilestep::compile {
Bindings defaultTunables(const KernelSpec& spec) {
  Bindings tunables;
  for (const TunableSpec& tunable : spec.tunables) tunables[tunable.name] = tunable.defaultValue;
  return tunables;
}

bool takes(const TunableSpec& tunable, int64_t value) {
  if (!tunable.values.empty())
    return std::ranges::find(tunable.values, value) != tunable.values.end();
  return value >= tunable.minimum && value <= tunable.maximum &&
         (value - tunable.minimum) % tunable.step == 0;
}

int64_t valueCount(const TunableSpec& tunable) {
  if (!tunable.values.empty()) return static_cast<int64_t>(tunable.values.size());
  return (tunable.maximum - tunable.minimum) / tunable.step + 1;
}

int64_t lastValue(const TunableSpec& tunable) {
  if (!tunable.values.empty()) return tunable.values.back();
  return tunable.minimum + (valueCount(tunable) - 1) * tunable.step;
}

std::vector<int64_t> allValues(const TunableSpec& tunable) {
  if (!tunable.values.empty()) return tunable.values;
  std::vector<int64_t> values;
  for (int64_t value = tunable.minimum; value <= tunable.maximum; value += tunable.step)
    values.push_back(value);
  return values;
}

std::vector<int64_t> doublings(const TunableSpec& tunable) {
  std::vector<int64_t> values;
  for (int64_t value = 1; value > 0 && value <= lastValue(tunable); value *= 2)
    if (takes(tunable, value)) values.push_back(value);
  return values;
}

int64_t nearestValue(const TunableSpec& tunable, int64_t value) {
  const int64_t within = std::clamp(value, tunable.minimum, lastValue(tunable));
  if (!tunable.values.empty())
    return *std::ranges::min_element(tunable.values, {},
                                     [&](int64_t one) { return std::abs(one - within); });
  const int64_t steps = (within - tunable.minimum + tunable.step / 2) / tunable.step;
  return tunable.minimum + steps * tunable.step;
}

int64_t steppedValue(const TunableSpec& tunable, int64_t value, int64_t by) {
  const int64_t from = nearestValue(tunable, value);
  if (tunable.values.empty())
    return std::clamp(from + by * tunable.step, tunable.minimum, lastValue(tunable));
  const int64_t at = std::ranges::find(tunable.values, from) - tunable.values.begin();
  const int64_t to = std::clamp<int64_t>(at + by, 0, valueCount(tunable) - 1);
  return tunable.values[static_cast<size_t>(to)];
}

}  // namespace tilestep::compile
