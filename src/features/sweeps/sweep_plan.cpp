// SPDX-License-Identifier: Apache-2.0
#include "features/sweeps/sweep_plan.h"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "base/hash.h"
#include "compile/front_matter/front_matter.h"
#include "features/sweeps/ladder_plan.h"
#include "features/sweeps/sweep_axes.h"
#include "lab/figures.h"
#include "model/scene/traced_kernel.h"
#include "model/text/traffic.h"

namespace tilestep::features {
namespace {

using compile::Bindings;
using compile::TunableSpec;

constexpr size_t kMostKernels = 6;

/// "TILE_WIDTH 16, PAD 0" without the names in `but`.
std::string tunablesText(Bindings tunables, const std::set<std::string>& but) {
  for (const std::string& name : but) tunables.erase(name);
  return lab::pointText({}, tunables);
}

std::string joined(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + ", " + b;
}

/// The sizes of points whose sizes are not an axis.
Bindings sizesFor(const SweepInputs& in) {
  return in.device->measures ? in.sizes : smallSizesOf(in.sizes);
}

// --- One tunable -------------------------------------------------------------------------------

void addAlong(const SweepInputs& in, SweepPlan& plan, const TunableSpec& spec) {
  const Bindings sizes = sizesFor(in);
  compile::Planner mains(*in.main.entry->spec, in.device->limits);
  std::optional<compile::Planner> besides;
  if (in.comparison) besides.emplace(*in.comparison->entry->spec, in.device->limits);
  std::vector<SweepPoint> second;
  for (size_t i = 0; i < plan.x.values.size(); ++i) {
    SweepPoint point{.column = i, .sizes = sizes, .tunables = in.main.tunables};
    point.tunables[spec.name] = plan.x.values[i];
    const auto main = fillPoint(point, plan.series[0], mains);
    plan.points.push_back(std::move(point));
    if (!in.comparison || !main) continue;  // Without a main launch there is none to follow.
    SweepPoint other{.series = 1, .column = i, .sizes = sizes, .tunables = in.comparison->tunables};
    if (in.comparisonAlong) other.tunables = in.comparisonAlong(*main);
    fillPoint(other, plan.series[1], *besides);
    second.push_back(std::move(other));
  }
  plan.points.insert(plan.points.end(), second.begin(), second.end());
}

/// Ends the axis at the last legal value of the main kernel.
void endAxis(const SweepInputs& in, SweepPlan& plan, const TunableSpec& spec) {
  const size_t none = plan.x.values.size();
  size_t last = none;
  for (const SweepPoint& point : plan.points)
    if (point.series == 0 && point.illegal.empty()) last = point.column;
  if (last == none) {
    plan.impossible = plan.points.empty() ? "" : plan.points.front().illegal;
    return;
  }
  // The main kernel has one point per column, before all others.
  plan.beyond = last + 1 < none ? plan.points[last + 1].illegal
                                : beyondAxis(in, in.main, spec, sizesFor(in), plan.x.values[last]);
  std::erase_if(plan.points, [&](const SweepPoint& point) { return point.column > last; });
  plan.x.values.resize(last + 1);
  if (plan.x.names.size() > last + 1) plan.x.names.resize(last + 1);
}

/// Whether both series have blocks of the same shape at each value that both have.
bool haveEqualBlocks(const SweepPlan& plan) {
  return std::ranges::all_of(plan.points, [&](const SweepPoint& point) {
    // The main kernel's points are first, one for each column.
    return !point.illegal.empty() || point.block == plan.points[point.column].block;
  });
}

void planTunable(const SweepInputs& in, SweepPlan& plan) {
  const auto& tunables = in.main.entry->spec->tunables;
  for (const TunableSpec& tunable : tunables) plan.axes.push_back(tunable.name);
  if (tunables.empty()) {
    plan.impossible = in.main.entry->spec->name + " has no tunables; sizes can be swept";
    return;
  }
  plan.axesAt = in.axes % tunables.size();
  const TunableSpec& spec = tunables[plan.axesAt];
  plan.x = tunableAxis(in, in.main, spec);
  plan.series.push_back(seriesOf(in.main, true));
  if (in.comparison) plan.series.push_back(seriesOf(*in.comparison, false));
  addAlong(in, plan, spec);
  endAxis(in, plan, spec);
  plan.fixed = joined(sizesText(sizesFor(in)), tunablesText(in.main.tunables, {spec.name}));
  if (!in.comparison) return;
  plan.anyBlocks = in.blocksAreChosen;
  const bool same = std::ranges::any_of(in.comparison->entry->spec->tunables,
                                        [&](const auto& one) { return one.name == spec.name; });
  if (in.blocksAreChosen)
    plan.series[1].name = joined(plan.series[1].name, tunablesText(in.comparison->tunables, {}));
  else if (!same && haveEqualBlocks(plan))
    plan.series[1].name += " in equal blocks";
}

// --- Two tunables, or a tunable and sizes ------------------------------------------------------

struct Pair {
  const SweepKernel* kernel = nullptr;
  const TunableSpec *x = nullptr, *y = nullptr;  ///< The sizes if `y` is null.
};

/// For each kernel, block shapes before other pairs of tunables; last, each of the main kernel's
/// tunables with sizes.
std::vector<Pair> pairsOf(const SweepInputs& in) {
  std::vector<Pair> pairs;
  for (const SweepKernel* kernel : {&in.main, in.comparison ? &*in.comparison : nullptr}) {
    if (kernel == nullptr) continue;
    const auto before = static_cast<ptrdiff_t>(pairs.size());
    const auto& tunables = kernel->entry->spec->tunables;
    for (size_t i = 0; i < tunables.size(); ++i)
      for (size_t j = i + 1; j < tunables.size(); ++j)
        pairs.push_back({kernel, &tunables[i], &tunables[j]});
    std::stable_partition(pairs.begin() + before, pairs.end(), [](const Pair& pair) {
      return pair.x->name == "BLOCK_X" && pair.y->name == "BLOCK_Y";
    });
  }
  for (const TunableSpec& tunable : in.main.entry->spec->tunables)
    pairs.push_back({&in.main, &tunable, nullptr});
  return pairs;
}

std::string nameOf(const SweepInputs& in, const Pair& pair) {
  const std::string kernel =
      pair.kernel == &in.main ? "" : shortNameOf(pair.kernel->entry->spec->name) + ": ";
  return kernel + pair.x->name + " × " + (pair.y != nullptr ? pair.y->name : "size");
}

void planShapes(const SweepInputs& in, SweepPlan& plan) {
  const std::vector<Pair> pairs = pairsOf(in);
  for (const Pair& pair : pairs) plan.axes.push_back(nameOf(in, pair));
  if (pairs.empty()) {
    plan.impossible = in.main.entry->spec->name + " has no tunables; sizes can be swept";
    return;
  }
  plan.axesAt = in.axes % pairs.size();
  const Pair& pair = pairs[plan.axesAt];
  const compile::KernelSpec& spec = *pair.kernel->entry->spec;
  plan.x = tunableAxis(in, *pair.kernel, *pair.x);
  plan.y = pair.y != nullptr ? tunableAxis(in, *pair.kernel, *pair.y) : sizeAxis(in, spec);
  plan.series.push_back(seriesOf(*pair.kernel, pair.kernel == &in.main));
  compile::Planner planner(spec, in.device->limits);
  for (size_t row = 0; row < plan.y.values.size(); ++row)
    for (size_t column = 0; column < plan.x.values.size(); ++column) {
      if (plan.points.size() >= kMostSweepPoints) break;
      SweepPoint point{
          .column = column, .row = row, .sizes = sizesFor(in), .tunables = pair.kernel->tunables};
      point.tunables[pair.x->name] = plan.x.values[column];
      if (pair.y != nullptr)
        point.tunables[pair.y->name] = plan.y.values[row];
      else
        for (auto& [name, value] : point.sizes) value = plan.y.values[row];
      fillPoint(point, plan.series[0], planner);
      plan.points.push_back(std::move(point));
    }
  std::set<std::string> moved{pair.x->name};
  if (pair.y != nullptr) moved.insert(pair.y->name);
  plan.fixed = joined(pair.y != nullptr ? sizesText(sizesFor(in)) : "",
                      tunablesText(pair.kernel->tunables, moved));
}

// --- Sizes -------------------------------------------------------------------------------------

void planSizes(const SweepInputs& in, SweepPlan& plan) {
  if (in.main.entry->spec->given != nullptr) {
    plan.impossible = "the program says this launch's sizes; its sliders change them";
    return;
  }
  plan.axes.push_back("size");
  plan.x = sizeAxis(in, *in.main.entry->spec);
  std::vector<const SweepKernel*> kernels{&in.main};
  if (in.comparison) kernels.push_back(&*in.comparison);
  for (const SweepKernel& other : in.others) kernels.push_back(&other);
  std::string missing;
  size_t notRecorded = 0;
  for (const SweepKernel* kernel : kernels) {
    const bool first = kernel == &in.main;
    if (plan.series.size() >= kMostKernels) break;
    if (kernel->entry->spec->given != nullptr) continue;
    if (!first && !isRecorded(in, *kernel)) {
      if (notRecorded++ < kMostKernels)
        missing += (missing.empty() ? "" : ", ") + shortNameOf(kernel->entry->spec->name);
      continue;
    }
    SweepSeries series = seriesOf(*kernel, first);
    const std::string tunables = tunablesText(kernel->tunables, {});
    series.name += tunables.empty() ? "" : " · " + tunables;
    compile::Planner planner(*kernel->entry->spec, in.device->limits);
    for (size_t column = 0; column < plan.x.values.size(); ++column) {
      SweepPoint point{.series = plan.series.size(),
                       .column = column,
                       .sizes = in.sizes,
                       .tunables = kernel->tunables};
      for (auto& [name, value] : point.sizes) value = plan.x.values[column];
      fillPoint(point, series, planner);
      plan.points.push_back(std::move(point));
    }
    plan.series.push_back(std::move(series));
  }
  if (notRecorded > kMostKernels)
    missing += " and " + std::to_string(notRecorded - kMostKernels) + " more";
  if (!missing.empty()) plan.leftOut = "Not recorded with these tunables: " + missing + ".";
}

}  // namespace

SweepSeries seriesOf(const SweepKernel& kernel, bool main) {
  SweepSeries series;
  series.kernel = compile::nameOf(kernel.entry->source);
  series.name = shortNameOf(kernel.entry->spec->name);
  series.source = kernel.entry->source;
  series.spec = std::make_shared<const compile::KernelSpec>(*kernel.entry->spec);
  series.code = lab::codeHashOf(kernel.entry->source);
  series.main = main;
  return series;
}

std::optional<compile::Plan> fillPoint(SweepPoint& point, const SweepSeries& series,
                                       compile::Planner& planner) {
  auto planned = planner.attempt(valuesOf(point));
  if (const auto* obstacle = std::get_if<compile::Obstacle>(&planned)) {
    point.illegal = obstacle->sentence;
    return std::nullopt;
  }
  auto& plan = std::get<compile::Plan>(planned);
  point.operations = plan.operations;
  point.leastBytes = lab::compulsoryBytesOf(plan);
  if (!plan.launches.empty()) {
    point.blocks = plan.launches.front().grid.count();
    point.block = plan.launches.front().block;
    point.threads = static_cast<uint32_t>(point.block.count());
  }
  point.sharedBytes = lab::plannedSharedBytes(plan);
  point.launch = lab::launchHashOf(plan);
  point.key = sweepKey(series.code, point.launch, valuesOf(point));
  return std::move(plan);
}

std::string SweepAxis::textOf(size_t index) const {
  return index < names.size() ? names[index] : std::to_string(values.at(index));
}

size_t SweepPlan::legalPoints() const {
  return static_cast<size_t>(
      std::ranges::count_if(points, [](const SweepPoint& point) { return point.illegal.empty(); }));
}

std::string sweepKey(uint64_t code, uint64_t launch, const Bindings& values) {
  return hex64(code) + ";" + hex64(launch) + ";" + lab::pointText({}, values);
}

Bindings valuesOf(const SweepPoint& point) {
  Bindings values = point.sizes;
  values.insert(point.tunables.begin(), point.tunables.end());
  return values;
}

SweepPlan makeSweepPlan(const SweepInputs& in) {
  SweepPlan plan;
  plan.kind = in.kind;
  plan.device = in.device->id;
  plan.deviceName = in.device->name;
  plan.recordedOn = in.device->recordedOn;
  plan.source = in.file                          ? SweepSource::file
                : !in.device->recordedOn.empty() ? SweepSource::recording
                : in.device->measures            ? SweepSource::live
                                                 : SweepSource::interpreter;
  switch (in.kind) {
    case SweepKind::tunable:
      planTunable(in, plan);
      break;
    case SweepKind::shapes:
      planShapes(in, plan);
      break;
    case SweepKind::sizes:
      planSizes(in, plan);
      break;
    case SweepKind::ladder:
      planLadder(in, plan);
      break;
  }
  return plan;
}

}  // namespace tilestep::features
