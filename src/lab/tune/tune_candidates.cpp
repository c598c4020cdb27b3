// SPDX-License-Identifier: Apache-2.0
#include "lab/tune/tune_candidates.h"

#include <algorithm>
#include <optional>
#include <set>
#include <variant>

#include "compile/front_matter/plan_attempt.h"
#include "compile/front_matter/tunable_values.h"
#include "lab/figures.h"

namespace tilestep::lab {
namespace {

constexpr int64_t kShortRange = 64, kFewValues = 16;
constexpr uint64_t kFewCombinations = 4096;

/// The ends, the default and the powers of two of a range.
std::vector<int64_t> sampleOf(const compile::TunableSpec& tunable) {
  const std::vector<int64_t> doubled = compile::doublings(tunable);
  std::set<int64_t> values(doubled.begin(), doubled.end());
  values.insert({tunable.minimum, compile::lastValue(tunable), tunable.defaultValue});
  return {values.begin(), values.end()};
}

/// Saturates.
uint64_t product(const std::vector<std::vector<int64_t>>& values) {
  uint64_t all = 1;
  for (const std::vector<int64_t>& one : values) {
    if (!one.empty() && all > UINT64_MAX / one.size()) return UINT64_MAX;
    all *= one.size();
  }
  return all;
}

const Axis* axisOf(const std::vector<Axis>& chosen, const std::string& name) {
  const auto at = std::ranges::find_if(chosen, [&](const Axis& axis) {
    return std::ranges::find(axis.names, name) != axis.names.end();
  });
  return at == chosen.end() ? nullptr : &*at;
}

std::vector<std::vector<int64_t>> valuesWith(const compile::KernelSpec& spec,
                                             const std::vector<Axis>& chosen, int64_t longest) {
  std::vector<std::vector<int64_t>> values;
  for (const compile::TunableSpec& tunable : spec.tunables) {
    if (const Axis* axis = axisOf(chosen, tunable.name)) {
      const std::set<int64_t> own(axis->values.begin(), axis->values.end());
      values.emplace_back(own.begin(), own.end());
    } else {
      const bool all = !tunable.values.empty() || compile::valueCount(tunable) <= longest;
      values.push_back(all ? compile::allValues(tunable) : sampleOf(tunable));
    }
  }
  return values;
}

Candidate candidateOf(const std::vector<int64_t>& values, const compile::Plan& plan) {
  Candidate candidate{values, 0, 0, plannedSharedBytes(plan)};
  if (plan.launches.size() != 1) return candidate;
  candidate.threads = plan.launches.front().block.count();
  candidate.blocks = plan.launches.front().grid.count();
  return candidate;
}

/// Advances to the next combination; false after the last.
bool next(std::vector<size_t>& at, const std::vector<std::vector<int64_t>>& values) {
  for (size_t i = at.size(); i-- > 0;) {
    if (++at[i] < values[i].size()) return true;
    at[i] = 0;
  }
  return false;
}

}  // namespace

std::vector<std::vector<int64_t>> tuningValues(const compile::KernelSpec& spec,
                                               const std::vector<Axis>& chosen) {
  std::vector<std::vector<int64_t>> values = valuesWith(spec, chosen, kShortRange);
  if (product(values) > kFewCombinations) values = valuesWith(spec, chosen, kFewValues);
  return values;
}

Result<Candidates> candidatesOf(const compile::KernelSpec& spec, const compile::Bindings& sizes,
                                const std::vector<Axis>& chosen, const Limits& limits) {
  Candidates found;
  found.values = tuningValues(spec, chosen);
  found.combinations = product(found.values);
  if (found.combinations > kMostCombinations) {
    return requestError(spec.name + "'s tunables have more than " +
                        std::to_string(kMostCombinations) +
                        " combinations; name fewer values with --set NAME=A,B,C");
  }
  compile::Bindings bindings = spec.sizes;
  for (const auto& [name, value] : sizes) bindings[name] = value;
  compile::Planner planner(spec, limits);
  std::vector<size_t> at(found.values.size(), 0);
  std::optional<std::string> obstacle;
  do {
    std::vector<int64_t> values;
    for (size_t i = 0; i < at.size(); ++i) {
      values.push_back(found.values[i][at[i]]);
      bindings[spec.tunables[i].name] = values.back();
    }
    const auto outcome = planner.attempt(bindings);
    if (const auto* plan = std::get_if<compile::Plan>(&outcome)) {
      found.operations = plan->operations;
      found.legal.push_back(candidateOf(values, *plan));
    } else if (!obstacle) {
      obstacle = std::get<compile::Obstacle>(outcome).sentence;
    }
  } while (next(at, found.values));
  if (!found.legal.empty()) return found;
  return requestError("none of the " + std::to_string(found.combinations) + " combinations of " +
                      spec.name + "'s tunables is legal: " + *obstacle);
}

compile::Bindings tunablesOf(const compile::KernelSpec& spec, const Candidate& candidate) {
  compile::Bindings tunables;
  for (size_t i = 0; i < spec.tunables.size() && i < candidate.values.size(); ++i)
    tunables[spec.tunables[i].name] = candidate.values[i];
  return tunables;
}

}  // namespace tilestep::lab
