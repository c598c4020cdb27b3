// SPDX-License-Identifier: Apache-2.0
#include "model/choice/legality.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "compile/front_matter/plan_attempt.h"
#include "compile/front_matter/tunable_values.h"
#include "lab/figures.h"

namespace tilestep::model {
namespace {

constexpr int64_t kMostValues = 128;

std::vector<int64_t> valuesOf(const compile::TunableSpec& tunable) {
  if (!tunable.values.empty()) return tunable.values;
  const int64_t count = compile::valueCount(tunable);
  std::vector<int64_t> values;
  // For a long range, about 128 values: the spacing is at least one step and at least 1/24 of the
  // value.
  constexpr int64_t kShare = 24;
  for (int64_t i = 0; i < count; i += count <= kMostValues ? 1 : std::max<int64_t>(1, i / kShare))
    values.push_back(tunable.minimum + i * tunable.step);
  const int64_t last = compile::lastValue(tunable);
  if (values.back() != last) values.push_back(last);
  return values;
}

}  // namespace

std::vector<TunableLegality> legalityOf(const compile::KernelSpec& spec,
                                        const compile::Bindings& sizes,
                                        const compile::Bindings& tunables, const Limits& limits) {
  compile::Planner planner(spec, limits);
  compile::Bindings bindings = spec.sizes;
  for (const auto& [name, value] : sizes) bindings[name] = value;
  for (const auto& [name, value] : tunables) bindings[name] = value;
  std::vector<TunableLegality> all;
  for (const compile::TunableSpec& tunable : spec.tunables) {
    TunableLegality& one = all.emplace_back(TunableLegality{tunable.name, {}});
    const int64_t now = bindings[tunable.name];
    for (const int64_t value : valuesOf(tunable)) {
      bindings[tunable.name] = value;
      const auto outcome = planner.attempt(bindings);
      const auto* obstacle = std::get_if<compile::Obstacle>(&outcome);
      one.values.push_back({value, obstacle == nullptr ? "" : obstacle->sentence + "."});
    }
    bindings[tunable.name] = now;
  }
  return all;
}

const ValueLegality* at(const TunableLegality& legality, int64_t value) {
  if (legality.values.empty()) return nullptr;
  return &*std::ranges::min_element(
      legality.values, {}, [&](const ValueLegality& one) { return std::abs(one.value - value); });
}

int64_t legalTowards(const TunableLegality& legality, int64_t from, int64_t wanted) {
  const ValueLegality* there = at(legality, wanted);
  if (there == nullptr || there->why.empty()) return wanted;
  const bool up = wanted >= from;
  const ValueLegality *beyond = nullptr, *before = nullptr;
  for (const ValueLegality& one : legality.values) {
    if (!one.why.empty()) continue;
    const bool isBeyond = up ? one.value > wanted : one.value < wanted;
    if (isBeyond && (beyond == nullptr || !up)) beyond = &one;
    if (!isBeyond && (before == nullptr || up)) before = &one;
  }
  if (beyond != nullptr) return beyond->value;
  return before != nullptr ? before->value : wanted;
}

int64_t steppedFrom(const TunableLegality& legality, int64_t from, int by) {
  const ValueLegality *legal = nullptr, *next = nullptr;
  for (const ValueLegality& one : legality.values) {
    const bool ahead = by > 0 ? one.value > from : one.value < from;
    if (!ahead) continue;
    if (next == nullptr || by < 0) next = &one;
    if (one.why.empty() && (legal == nullptr || by < 0)) legal = &one;
  }
  if (legal != nullptr) return legal->value;
  return next != nullptr ? next->value : from;
}

DeviceLimits deviceLimitsOf(const Limits& limits) {
  return {{},
          limits.threadsPerBlock,
          std::max(limits.sharedBytesPerBlockOptIn, limits.sharedBytesPerBlock)};
}

DeviceLimits deviceLimitsOf(const std::string& name,
                            const metrics::Multiprocessor& multiprocessor) {
  return {name, multiprocessor.threadsPerBlock, multiprocessor.sharedBytesPerBlock,
          metrics::maxRegistersPerThread(multiprocessor)};
}

std::string resourcesText(const compile::Plan& plan, const DeviceLimits& device,
                          uint32_t registers) {
  if (plan.launches.empty()) return {};
  const auto kib = [](uint32_t bytes) {
    char number[32];
    std::snprintf(number, sizeof number, "%.3g", bytes / 1024.0);
    return std::string(number);
  };
  const uint64_t threads = plan.launches.front().block.count();
  const uint32_t shared = lab::plannedSharedBytes(plan);
  std::string text = "A block: " + std::to_string(threads) + " of " +
                     std::to_string(device.threads) + " threads, " + kib(shared) + " of " +
                     kib(device.sharedBytes) + " KiB of shared memory, ";
  text += registers == 0 ? "registers unknown until a GPU has run it."
                         : std::to_string(registers) + " of " +
                               std::to_string(device.registersPerThread) + " registers per thread.";
  if (device.name.empty()) return text;
  const bool fits = threads <= device.threads && shared <= device.sharedBytes &&
                    registers <= device.registersPerThread;
  return text + " Limits of the " + device.name +
         (fits ? "." : ": it could not launch this block.");
}

}  // namespace tilestep::model
