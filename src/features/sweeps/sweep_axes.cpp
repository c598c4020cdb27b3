// SPDX-License-Identifier: Apache-2.0
#include "features/sweeps/sweep_axes.h"

#include <algorithm>
#include <map>
#include <set>
#include <variant>

#include "compile/front_matter/plan_attempt.h"
#include "compile/front_matter/tunable_values.h"
#include "lab/figures.h"

namespace tilestep::features {
namespace {

using compile::Bindings;
using compile::TunableSpec;

/// Up to this many values, all are used; beyond that, only doublings.
constexpr int64_t kMostOneByOne = 33;
constexpr int64_t kSmallSide = 128, kSmallLength = 65536;

/// The kernel's recorded points; empty without a recording.
std::vector<const lab::RecordedPoint*> recordedPoints(const SweepInputs& in,
                                                      const std::string& kernel) {
  std::vector<const lab::RecordedPoint*> points;
  if (in.recording == nullptr) return points;
  const auto& kernels = in.recording->kernels;
  const auto at = std::ranges::find(kernels, kernel, &lab::RecordedKernel::name);
  for (const lab::RecordedPoint& point : in.recording->points)
    if (point.kernel == static_cast<size_t>(at - kernels.begin())) points.push_back(&point);
  return points;
}

std::set<int64_t> recordedSizes(const SweepInputs& in, const std::string& kernel,
                                const std::string& name) {
  std::set<int64_t> values;
  for (const lab::RecordedPoint* point : recordedPoints(in, kernel))
    if (const auto at = point->sizes.find(name); at != point->sizes.end())
      values.insert(at->second);
  return values;
}

/// The values of a tunable that were recorded with several values of the other tunables, if there
/// are any; square blocks alone make no map of block shapes.
std::set<int64_t> recordedValues(const SweepInputs& in, const SweepKernel& kernel,
                                 const std::string& name) {
  const auto without = [&](Bindings tunables) {
    tunables.erase(name);
    return tunables;
  };
  std::map<int64_t, std::set<Bindings>> others;
  for (const lab::RecordedPoint* point : recordedPoints(in, kernel.entry->spec->name))
    if (const auto at = point->tunables.find(name); at != point->tunables.end())
      others[at->second].insert(without(point->tunables));
  std::set<int64_t> values;
  for (const auto& [value, with] : others)
    if (with.size() > 1 || kernel.entry->spec->tunables.size() == 1) values.insert(value);
  return values;
}

bool allEqual(const Bindings& sizes) {
  return std::ranges::all_of(
      sizes, [&](const auto& size) { return size.second == sizes.begin()->second; });
}

/// "n", or "m = n = k".
std::string sizeNames(const Bindings& sizes) {
  std::string names;
  for (const auto& [name, value] : lab::orderedSizes(sizes))
    names += (names.empty() ? "" : " = ") + name;
  return names;
}

}  // namespace

SweepAxis tunableAxis(const SweepInputs& in, const SweepKernel& kernel, const TunableSpec& spec) {
  SweepAxis axis;
  axis.name = spec.name;
  if (!spec.values.empty()) {
    axis.values = spec.values;
    axis.names = spec.names;
    // A set of doubling values, such as block sizes.
    axis.logarithmic = spec.names.empty() && spec.values.size() > 2 && spec.values.front() > 0 &&
                       spec.values[1] == 2 * spec.values[0];
  } else if (compile::valueCount(spec) <= kMostOneByOne) {
    axis.values = compile::allValues(spec);
  } else {
    std::set<int64_t> values = recordedValues(in, kernel, spec.name);
    values.insert({spec.minimum, spec.maximum, kernel.tunables.at(spec.name)});
    for (const int64_t v : compile::doublings(spec)) values.insert(v);
    std::erase_if(values, [&](int64_t v) { return !compile::takes(spec, v); });
    axis.values.assign(values.begin(), values.end());
    axis.logarithmic = axis.values.front() > 0;
  }
  if (axis.values.size() > kMostAxisValues) axis.values.resize(kMostAxisValues);
  return axis;
}

SweepAxis sizeAxis(const SweepInputs& in, const compile::KernelSpec& spec) {
  SweepAxis axis;
  axis.name = sizeNames(spec.sizes);
  axis.logarithmic = axis.ofSizes = true;
  std::set<int64_t> values;
  const bool interpreter = !in.device->measures;
  const bool matrices = spec.sizes.size() > 1;
  if (in.recording != nullptr) {
    for (const auto& [name, value] : spec.sizes)
      for (const int64_t v : recordedSizes(in, spec.name, name)) values.insert(v);
  } else {
    const int64_t most = interpreter ? (matrices ? kSmallSide : kSmallLength)
                         : matrices  ? 4096
                                     : int64_t{1} << 24;
    for (int64_t v = most >> (interpreter ? 4 : 6); v <= most; v *= 2) values.insert(v);
  }
  const Bindings own = interpreter ? smallSizesOf(in.sizes) : in.sizes;
  if (allEqual(own) && !own.empty()) values.insert(own.begin()->second);
  axis.values.assign(values.begin(), values.end());
  if (axis.values.size() > kMostAxisValues) axis.values.resize(kMostAxisValues);
  return axis;
}

std::string beyondAxis(const SweepInputs& in, const SweepKernel& kernel, const TunableSpec& spec,
                       const Bindings& sizes, int64_t last) {
  if (!spec.values.empty()) return {};
  compile::KernelSpec wider = *kernel.entry->spec;
  for (TunableSpec& tunable : wider.tunables)
    if (tunable.name == spec.name) tunable.maximum = std::max(tunable.maximum, last * 2 + 1);
  Bindings values = sizes;
  for (const auto& [name, value] : kernel.tunables) values[name] = value;
  values[spec.name] = last + spec.step;
  compile::Planner planner(wider, in.device->limits);
  const auto planned = planner.attempt(values);
  const auto* obstacle = std::get_if<compile::Obstacle>(&planned);
  if (obstacle != nullptr) return obstacle->sentence;
  return last >= spec.maximum ? kernel.entry->spec->name + " accepts " + spec.name + " up to " +
                                    std::to_string(spec.maximum)
                              : "";
}

bool isRecorded(const SweepInputs& in, const SweepKernel& kernel) {
  const auto points = recordedPoints(in, kernel.entry->spec->name);
  return in.recording == nullptr ||
         std::ranges::any_of(points, [&](const lab::RecordedPoint* point) {
           return point->tunables == kernel.tunables;
         });
}

Bindings smallSizesOf(const Bindings& sizes) {
  Bindings small = sizes;
  for (auto& [name, value] : small)
    value = std::min(value, sizes.size() > 1 ? kSmallSide : kSmallLength);
  return small;
}

}  // namespace tilestep::features
