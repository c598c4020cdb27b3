// SPDX-License-Identifier: Apache-2.0
#include "lab/recording/recording.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/nearest_name.h"
#include "base/utc.h"
#include "compile/text/cuda_lexer.h"
#include "lab/figures.h"

namespace tilestep::lab {
namespace {

constexpr double kOtherName = 64;
/// The greatest distance of a repeated row. Most kernels alternate load and compute epochs, so a
/// distance of 2 is usual.
constexpr size_t kMostBack = 4;

double doublings(int64_t a, int64_t b) {
  const auto at = [](int64_t v) { return std::log2(1 + std::abs(static_cast<double>(v))); };
  return std::abs(at(a) - at(b)) + ((a < 0) != (b < 0) ? 1 : 0);
}

bool isNamed(const compile::KernelSpec& spec, const std::string& tunable) {
  return std::ranges::any_of(spec.tunables, [&](const compile::TunableSpec& one) {
    return one.name == tunable && !one.names.empty();
  });
}

/// A name that the point does not have counts like a different value of a named tunable.
double distance(const compile::KernelSpec& spec, const RecordedPoint& point,
                const compile::Plan& plan) {
  double sum = 0;
  const auto add = [&](const compile::Bindings& has, const compile::Bindings& wants, bool tunable) {
    for (const auto& [name, value] : wants) {
      const auto at = has.find(name);
      if (at != has.end() && at->second == value) continue;
      const bool far = at == has.end() || (tunable && isNamed(spec, name));
      sum += far ? kOtherName : doublings(at->second, value);
    }
  };
  add(point.sizes, plan.sizes, false);
  add(point.tunables, plan.tunables, true);
  return sum;
}

using Has = bool (*)(const RecordedPoint&);

/// The nearest of the points that satisfy `has`.
Nearest nearestOf(const DeviceRecording& recording, size_t kernel, const compile::KernelSpec& spec,
                  const compile::Plan& plan, std::string why, Has has) {
  const RecordedPoint* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const RecordedPoint& point : recording.points) {
    if (point.kernel != kernel || !has(point)) continue;
    const double far = distance(spec, point, plan);
    if (far >= least) continue;
    least = far;
    best = &point;
  }
  if (best == nullptr) return {std::move(why), false, {}, {}};
  return {std::move(why), true, best->sizes, best->tunables};
}

std::string noKernel(const DeviceRecording& recording, const std::string& name) {
  std::vector<std::string> names;
  for (const RecordedKernel& kernel : recording.kernels) names.push_back(kernel.name);
  return "the recording holds no " + name +
         (names.empty() ? std::string(" and no other kernel") : "; it holds " + listed(names));
}

class LaunchHash {
 public:
  void add(uint64_t value) {
    ByteWriter bytes;
    bytes.put(value);
    hash_ = fnv1a64(bytes.take(), hash_);
  }
  /// Integers are hashed as integers.
  void add(double value) {
    constexpr double kExact = 9007199254740992.0;  // 2^53
    const bool whole = std::abs(value) <= kExact && std::trunc(value) == value;
    add(whole ? static_cast<uint64_t>(static_cast<int64_t>(value))
              : std::bit_cast<uint64_t>(value));
  }
  void add(const std::string& text) {
    hash_ = fnv1a64(text, fnv1a64(std::string_view("\0", 1), hash_));
  }
  void add(const Dim3& size) {
    for (const uint32_t side : {size.x, size.y, size.z}) add(uint64_t{side});
  }
  [[nodiscard]] uint64_t value() const { return hash_; }

 private:
  uint64_t hash_ = kFnvStart;
};

/// Names a recorded figure that is impossible for the point's launch; empty if there is none.
std::string impossibleFigure(const device::DeviceInfo& device, const RecordedPoint& point,
                             const compile::Plan& plan) {
  const Launch& first = plan.launches.front();
  const uint64_t warps = (first.block.count() + 31) / 32;
  if (point.sharedBytes < first.dynamicSharedBytes) return "shared memory";
  if (point.machineCode && device.threadsPerMultiprocessor != 0 &&
      point.machineCode->activeBlocks * warps * 32 > device.threadsPerMultiprocessor)
    return "number of resident blocks";
  if (point.timeline && plan.launches.size() == 1 &&
      (point.timeline->sm.size() != first.grid.count() || point.timeline->warpsPerBlock != warps))
    return "timeline";
  return {};
}

}  // namespace

DeviceRecording::DeviceRecording() = default;
DeviceRecording::DeviceRecording(const DeviceRecording& other) = default;
DeviceRecording::DeviceRecording(DeviceRecording&& other) noexcept = default;
DeviceRecording& DeviceRecording::operator=(const DeviceRecording& other) = default;
DeviceRecording& DeviceRecording::operator=(DeviceRecording&& other) noexcept = default;
DeviceRecording::~DeviceRecording() = default;

PackedEpochs packEpochs(const std::vector<trace::Counters>& epochs) {
  PackedEpochs packed;
  for (size_t at = 0; at < epochs.size();) {
    size_t best = 0, back = 1;
    for (size_t d = 1; d <= std::min(at, kMostBack); ++d) {
      size_t length = 0;
      while (at + length < epochs.size() && epochs[at + length] == epochs[at + length - d])
        ++length;
      if (length > best) best = length, back = d;
    }
    if (packed.runs.empty() || packed.runs.back().repeats > 0) packed.runs.emplace_back();
    if (best == 0) {
      packed.rows.push_back(epochs[at++]);
      ++packed.runs.back().fresh;
      continue;
    }
    packed.runs.back().back = static_cast<uint32_t>(back);
    packed.runs.back().repeats = static_cast<uint32_t>(best);
    at += best;
  }
  return packed;
}

Result<std::vector<trace::Counters>> unpackEpochs(const PackedEpochs& packed) {
  std::vector<trace::Counters> epochs;
  size_t taken = 0;
  for (const PackedEpochs::Run& run : packed.runs) {
    if (run.fresh > packed.rows.size() - taken)
      return workError("a run needs more rows than the recording has");
    if (epochs.size() + run.fresh + uint64_t{run.repeats} > trace::GridCounters::kMaxEpochs)
      return workError("there are more than 4096 epochs");
    for (uint32_t i = 0; i < run.fresh; ++i) epochs.push_back(packed.rows[taken++]);
    if (run.repeats > 0 && (run.back == 0 || run.back > epochs.size()))
      return workError("a run copies from before the first row");
    for (uint32_t i = 0; i < run.repeats; ++i) {
      const trace::Counters row = epochs[epochs.size() - run.back];
      epochs.push_back(row);
    }
  }
  if (taken != packed.rows.size()) return workError("rows remain after the last run");
  return epochs;
}

uint64_t codeHashOf(const compile::KernelSource& source) {
  uint64_t hash = kFnvStart;
  for (const compile::CudaToken& token : compile::cudaTokens(source.text)) {
    hash = fnv1a64(token.text, hash);
    hash = fnv1a64(std::string_view("\n", 1), hash);
  }
  return source.entry.empty() ? hash : fnv1a64(source.entry, hash);
}

uint64_t programHashOf(const compile::KernelSource& source, const compile::KernelSpec& spec) {
  LaunchHash hash;
  hash.add(codeHashOf(source));
  for (const compile::LaunchSpec& launch : spec.launches) {
    hash.add(launch.entry);
    for (const auto* sides : {&launch.block, &launch.grid}) {
      hash.add(uint64_t{sides->size()});
      for (const std::string& side : *sides) hash.add(side);
    }
    hash.add(launch.dynamicSharedBytes);
    hash.add(uint64_t{launch.cooperative});
  }
  for (const compile::OperandSpec& operand : spec.operands) {
    for (const std::string* text :
         {&operand.rows, &operand.columns, &operand.extent, &operand.value})
      hash.add(*text);
    hash.add(static_cast<uint64_t>(operand.kind));
    hash.add(static_cast<uint64_t>(operand.type));
    hash.add(static_cast<uint64_t>(operand.direction));
    hash.add(static_cast<uint64_t>(operand.fill));
    hash.add(static_cast<uint64_t>(operand.align) * 2 + (operand.held ? 1 : 0));
    for (const compile::FieldSpec& field : operand.fields) hash.add(field.value);
  }
  return hash.value();
}

bool isPointOf(const DeviceRecording& recording, const RecordedPoint& point,
               const compile::KernelSpec& spec, uint64_t code) {
  const RecordedKernel& kernel = recording.kernels[point.kernel];
  if (kernel.name != spec.name || kernel.codeHash != code) return false;
  return launchHashOf(spec, point.sizes, point.tunables, recording.device.limits) ==
         point.launchHash;
}

std::optional<uint64_t> launchHashOf(const compile::KernelSpec& spec,
                                     const compile::Bindings& sizes,
                                     const compile::Bindings& tunables, const Limits& limits) {
  const auto plan = compile::plan(spec, sizes, tunables, limits);
  if (!plan) return std::nullopt;
  return launchHashOf(*plan);
}

uint64_t launchHashOf(const compile::Plan& plan) {
  LaunchHash hash;
  for (const Launch& launch : plan.launches) {
    hash.add(launch.entry);
    hash.add(launch.grid);
    hash.add(launch.block);
    hash.add(uint64_t{launch.dynamicSharedBytes} * 2 + (launch.cooperative ? 1 : 0));
  }
  for (const compile::ResolvedOperand& operand : plan.operands) {
    hash.add(static_cast<uint64_t>(operand.spec.kind));
    hash.add(static_cast<uint64_t>(operand.spec.type));
    hash.add(static_cast<uint64_t>(operand.spec.direction));
    hash.add(static_cast<uint64_t>(operand.spec.fill));
    hash.add(operand.elements);
    hash.add(operand.scalar);
    for (const double field : operand.fields) hash.add(field);
  }
  return hash.value();
}

std::string pointText(const compile::Bindings& sizes, const compile::Bindings& tunables) {
  std::string text;
  const auto add = [&](const std::string& name, int64_t value) {
    text += (text.empty() ? "" : ", ") + name + " " + std::to_string(value);
  };
  for (const auto& [name, value] : orderedSizes(sizes)) add(name, value);
  for (const auto& [name, value] : tunables) add(name, value);
  return text;
}

std::string nearestText(const Nearest& nearest) {
  if (!nearest.known) return nearest.why;
  return nearest.why + "; nearest recorded point: " + pointText(nearest.sizes, nearest.tunables);
}

Lookup lookUp(const DeviceRecording& recording, const compile::KernelSpec& spec, uint64_t codeHash,
              const compile::Plan& plan, uint64_t seed) {
  const auto kernel = std::ranges::find(recording.kernels, spec.name, &RecordedKernel::name);
  if (kernel == recording.kernels.end()) {
    const Nearest none{noKernel(recording, spec.name), false, {}, {}};
    return {nullptr, none, none};
  }
  const auto index = static_cast<size_t>(kernel - recording.kernels.begin());
  const auto timed = [](const RecordedPoint& one) { return one.measurement.has_value(); };
  const auto clocked = [](const RecordedPoint& one) { return one.timeline.has_value(); };
  const auto instead = [&](const std::string& why, const RecordedPoint* point = nullptr) {
    return Lookup{point, nearestOf(recording, index, spec, plan, why, timed),
                  nearestOf(recording, index, spec, plan, why, clocked)};
  };
  if (kernel->codeHash != codeHash) {
    // No point belongs to this kernel.
    const Nearest none{spec.name + " differs from the recorded source", false, {}, {}};
    return {nullptr, none, none};
  }
  if (seed != recording.seed) {
    return instead("it was recorded with seed " + std::to_string(recording.seed) + ", not " +
                   std::to_string(seed));
  }
  const auto same = [&](const RecordedPoint& point) {
    return point.kernel == index && point.sizes == plan.sizes && point.tunables == plan.tunables;
  };
  const auto point = std::ranges::find_if(recording.points, same);
  const std::string text = pointText(plan.sizes, plan.tunables);
  if (point == recording.points.end()) return instead("the recording has no point at " + text);
  if (point->launchHash != launchHashOf(plan))
    return instead("its launch or operands differ from those recorded at " + text);
  if (const std::string figure = impossibleFigure(recording.device, *point, plan); !figure.empty())
    return instead("the recording is damaged: its " + figure + " is impossible for the launch at " +
                   text);
  if (!point->measurement) return instead("the recording has no time at " + text, &*point);
  Lookup found{&*point, {}, {}};
  if (!point->timeline) {
    found.nearestTimeline = nearestOf(recording, index, spec, plan,
                                      "the recording has no timeline at " + text, clocked);
  }
  return found;
}

device::DeviceInfo deviceOf(const DeviceRecording& recording, const RecordedPoint* point) {
  device::DeviceInfo info = recording.device;
  if (point == nullptr) return info;
  constexpr size_t kDay = 10;
  info.machines = static_cast<uint32_t>(recording.machines.size());
  info.recordedOn = utcText(point->unixSeconds).substr(0, kDay);
  info.machine = point->machine;
  if (point->machine == 0 || point->machine > recording.machines.size()) return info;
  const RecordedMachine& machine = recording.machines[point->machine - 1];
  info.identity = machine.identity;
  info.driver = machine.driver;
  return info;
}

const device::Ceilings* ceilingsOf(const DeviceRecording& recording, uint32_t machine) {
  if (machine == 0 || machine > recording.machines.size()) return nullptr;
  const std::optional<device::Ceilings>& ceilings = recording.machines[machine - 1].ceilings;
  return ceilings ? &*ceilings : nullptr;
}

trace::GridCounters gridCountersOf(const RecordedCounters& counters) {
  trace::GridCounters grid;
  grid.total = counters.total;
  grid.epochsTruncated = counters.epochsTruncated;
  // Checked when the recording was read.
  if (auto epochs = unpackEpochs(counters.epochs)) grid.epochs = std::move(epochs).value();
  return grid;
}

}  // namespace tilestep::lab
