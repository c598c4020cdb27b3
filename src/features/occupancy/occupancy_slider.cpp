// SPDX-License-Identifier: Apache-2.0
#include "features/occupancy/occupancy_slider.h"

#include <algorithm>

#include "base/dim3.h"
#include "base/figure.h"
#include "compile/front_matter/plan_attempt.h"
#include "compile/front_matter/tunable_values.h"
#include "lab/figures.h"
#include "metrics/occupancy_curve.h"

namespace tilestep::features {
namespace {

using metrics::BlockNeeds;

constexpr uint32_t kWarp = 32;
/// The search stops after this many consecutive values that no launch allows.
constexpr int kHopeless = 64;

/// Limits beyond every device, because the occupancy decides whether a block fits.
Limits widestLimits() {
  Limits limits;
  limits.sharedBytesPerBlock = limits.sharedBytesPerBlockOptIn = 1U << 20;
  return limits;
}

const compile::TunableSpec* tunableOf(const OccupancyInputs& in) {
  if (in.spec == nullptr || in.spec->tunables.empty()) return nullptr;
  for (const compile::TunableSpec& tunable : in.spec->tunables)
    if (tunable.name == in.tunable) return &tunable;
  return &in.spec->tunables.front();
}

struct Value {
  int64_t value = 0;
  BlockNeeds needs;
  metrics::Occupancy occupancy;
};

/// The values that the kernel's rules and a launch allow, with each value's needs per block.
std::vector<Value> valuesOf(const OccupancyInputs& in, const compile::TunableSpec& tunable,
                            const BlockNeeds& needs) {
  const compile::Plan& plan = in.result->plan;
  const Limits limits = widestLimits();
  compile::Planner planner(*in.spec, limits);
  compile::Bindings bindings = plan.bindings;
  const int64_t now = bindings[tunable.name];
  std::vector<Value> values;
  int hopeless = 0;
  for (const int64_t v : compile::allValues(tunable)) {
    bindings[tunable.name] = v;
    auto outcome = planner.attempt(bindings);
    const auto* other = std::get_if<compile::Plan>(&outcome);
    hopeless = other == nullptr ? hopeless + 1 : 0;
    if (hopeless > kHopeless && v > now) break;
    if (other == nullptr || other->launches.empty()) continue;
    const BlockNeeds there =
        lab::needsOf(*other, lab::plannedSharedBytes(*other), needs.registersPerThread);
    values.push_back({v, there, metrics::occupancy(in.multiprocessor, there)});
  }
  return values;
}

std::string threadsText(const BlockNeeds& needs) {
  const uint64_t warps = ceilDiv(needs.threads, kWarp);
  const uint64_t idle = warps * kWarp - needs.threads;
  std::string text = grouped(needs.threads) + (needs.threads == 1 ? " thread, " : " threads, ") +
                     std::to_string(warps) + (warps == 1 ? " warp" : " warps");
  if (idle > 0) text += " (" + std::to_string(idle) + (idle == 1 ? " lane idle)" : " lanes idle)");
  return text;
}

std::string fitText(const metrics::Occupancy& there) {
  return std::to_string(there.blocks) + (there.blocks == 1 ? " block fits, " : " blocks fit, ") +
         std::to_string(there.warps) + " of " + std::to_string(there.warpsMax) + " warps, " +
         toText(there.ratio(), Unit::ratio);
}

/// "TILE_WIDTH 17: 289 threads, 10 warps (31 lanes idle); 6 blocks fit, 60 of 64 warps, 93.8 %".
std::string valueText(const std::string& name, const Value& at) {
  std::string text = name + " " + std::to_string(at.value) + ": " + threadsText(at.needs);
  if (!at.occupancy.refusal.empty()) return text + "; cannot run: " + at.occupancy.refusal;
  return text + "; " + fitText(at.occupancy);
}

std::string stepText(const std::string& name, const Value& at, const OccupancyInputs& in,
                     const metrics::Occupancy& now) {
  std::string text = valueText(name, at);
  if (!at.occupancy.refusal.empty()) return text + ".";
  const double ratio = at.occupancy.ratio();
  text += ratio == now.ratio() ? " as now"
                               : (ratio < now.ratio() ? ", less than now" : ", more than now");
  return text + "; " + metrics::whyNotMore(in.multiprocessor, at.needs, at.occupancy) + ".";
}

void addSteps(SliderView& view, const std::vector<Value>& values, int64_t current,
              const OccupancyInputs& in, const std::string& name, const metrics::Occupancy& now) {
  const auto above =
      std::ranges::find_if(values, [&](const Value& at) { return at.value > current; });
  if (above != values.end()) view.steps.push_back(stepText(name, *above, in, now));
  const auto last = std::find_if(values.rbegin(), values.rend(),
                                 [&](const Value& at) { return at.value < current; });
  if (last != values.rend()) view.steps.push_back(stepText(name, *last, in, now));
}

std::string noteOf(const BlockNeeds& needs) {
  return needs.registersPerThread > 0
             ? "With " + std::to_string(needs.registersPerThread) +
                   " registers per thread at every value; the compiler may use a different number."
             : "Registers are unknown and not counted as a limit at any value.";
}

}  // namespace

SliderView sliderViewOf(const OccupancyInputs& in, const BlockNeeds& needs,
                        const metrics::Occupancy& now) {
  SliderView view;
  const compile::TunableSpec* tunable = tunableOf(in);
  const compile::Plan& plan = in.result->plan;
  if (tunable == nullptr || !plan.bindings.contains(tunable->name)) return view;
  OccupancyCurve curve;
  curve.over = OccupancyCurve::Over::tunable;
  curve.name = curve.axis = tunable->name;
  curve.steps = false;
  const int64_t current = plan.bindings.at(tunable->name);
  curve.now = static_cast<double>(current);
  if (lab::plannedSharedBytes(plan) != needs.sharedBytes) {
    curve.note =
        "The shared memory of other values is unknown, because the kernel's front matter does "
        "not state how much this value needs (" +
        grouped(needs.sharedBytes) + " B).";
    view.curve = std::move(curve);
    return view;
  }
  const std::vector<Value> values = valuesOf(in, *tunable, needs);
  for (const Value& at : values) {
    curve.points.push_back({static_cast<double>(at.value), at.occupancy.ratio(),
                            valueText(tunable->name, at) + ".\n" +
                                metrics::whyNotMore(in.multiprocessor, at.needs, at.occupancy) +
                                "\ncomputed for " + in.device});
  }
  curve.note = noteOf(needs);
  addSteps(view, values, current, in, tunable->name, now);
  view.curve = std::move(curve);
  return view;
}

}  // namespace tilestep::features
