// SPDX-License-Identifier: Apache-2.0
#include "lab/recording/recording_v1.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "device/ceiling_keys.h"
#include "lab/recording/packed.h"
#include "lab/recording/recording_file.h"

namespace tilestep::lab {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostDepth = 6;
/// The most entries of all columns, and bytes of all strings that points refer to.
constexpr uint64_t kMostEntries = uint64_t{1} << 23;
constexpr size_t kMostTextBytes = size_t{64} << 20;

/// A fault in the file; caught in this file.
struct Malformed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

uint64_t hashAt(const Json& json, const char* key) {
  const std::string digits = json.at(key);
  uint64_t value = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (parsed.ec != std::errc{}) throw Malformed(std::string(key) + " is not a hash");
  return value;
}

Dim3 dim3At(const Json& json, const char* key) {
  const Json& sides = json.at(key);
  return {sides.at(0), sides.at(1), sides.at(2)};
}

std::optional<device::Ceilings> ceilingsAt(const Json& json) {
  const Json& from = json.at("ceilings");
  if (from.is_null()) return std::nullopt;
  device::Ceilings ceilings;
  ceilings.origin = from.at("origin");
  for (const device::CeilingKey& one : device::kCeilingKeys) {
    const auto at = from.find(one.key);
    if (at != from.end() && !at->is_null()) ceilings.*one.value = at->get<double>();
  }
  return ceilings;
}

device::DeviceInfo deviceIn(const Json& json) {
  device::DeviceInfo info;
  info.name = json.at("name");
  info.computeCapability = json.at("compute_capability").get<std::string>();
  info.driver = json.at("driver");
  info.l2Bytes = json.at("l2_bytes");
  info.multiprocessors = json.at("multiprocessors");
  info.registersPerMultiprocessor = json.at("registers_per_multiprocessor");
  info.sharedBytesPerMultiprocessor = json.at("shared_bytes_per_multiprocessor");
  info.sharedBytesReservedPerBlock = json.at("shared_bytes_reserved_per_block");
  info.threadsPerMultiprocessor = json.at("threads_per_multiprocessor");
  info.blocksPerMultiprocessor = json.at("blocks_per_multiprocessor");
  info.clockMhz = json.at("clock_mhz");
  info.limits.memoryBytes = json.at("memory_bytes");
  info.limits.maxBlock = dim3At(json, "max_block");
  info.limits.maxGrid = dim3At(json, "max_grid");
  info.limits.threadsPerBlock = json.at("threads_per_block");
  info.limits.sharedBytesPerBlock = json.at("shared_bytes_per_block");
  info.limits.sharedBytesPerBlockOptIn = json.at("shared_bytes_per_block_opt_in");
  return info;
}

RecordedMachine machineOf(const Json& json) {
  RecordedMachine machine;
  machine.name = json.at("name");
  if (!json.at("gpu").is_null()) machine.identity = json.at("gpu");
  machine.driver = json.at("driver");
  machine.began = json.at("began");
  machine.ceilings = ceilingsAt(json);
  return machine;
}

DeviceRecording recordingOf(const Json& json) {
  DeviceRecording recording;
  recording.program = json.at("program");
  recording.began = json.at("began");
  recording.ended = json.at("ended");
  recording.method = json.at("method");
  recording.device = deviceIn(json.at("device"));
  recording.compiler.name = json.at("compiler").at("name");
  recording.compiler.version = json.at("compiler").at("version");
  recording.compiler.arch = json.at("compiler").at("arch");
  recording.seed = hashAt(json, "seed");
  recording.ceilings = ceilingsAt(json);
  if (json.contains("machines"))
    for (const Json& machine : json.at("machines"))
      recording.machines.push_back(machineOf(machine));
  for (const Json& kernel : json.at("kernels"))
    recording.kernels.push_back({kernel.at("name"), hashAt(kernel, "code"),
                                 kernel.at("sizes").get<std::vector<std::string>>(),
                                 kernel.at("tunables").get<std::vector<std::string>>()});
  device::DeviceInfo& device = recording.device;
  device.limits.device = device.name;
  device.measures = true;
  device.recordedOn = recording.began.substr(0, 10);
  return recording;
}

Json parsedHeader(std::string_view text) {
  bool deep = false;
  const auto shallow = [&deep](int depth, Json::parse_event_t, Json&) {
    deep = deep || depth > kMostDepth;
    return !deep;
  };
  Json json = Json::parse(text, shallow, false);
  if (deep || json.is_discarded()) throw Malformed("the header is not JSON, or nested too deep");
  return json;
}

/// Floating-point numbers, stored as the eight byte planes of their little-endian form.
std::vector<double> realsOf(std::string_view plain, uint64_t entries) {
  if (plain.size() != entries * sizeof(double)) throw Malformed("a column has too few numbers");
  std::vector<double> values;
  for (size_t i = 0; i < entries; ++i) {
    uint64_t bits = 0;
    for (size_t plane = 0; plane < sizeof(double); ++plane)
      bits |= uint64_t{static_cast<unsigned char>(plain[plane * entries + i])} << (8 * plane);
    values.push_back(std::bit_cast<double>(bits));
  }
  return values;
}

/// The columns. Each entry is read once, in order.
class Columns {
 public:
  Columns(const Json& header, std::string_view bytes) {
    uint64_t all = 0;
    for (const Json& one : header.at("columns")) {
      const uint64_t entries = one.at("entries"), packed = one.at("bytes");
      if (entries > kMostEntries - all) throw Malformed("the columns have too many entries");
      if (packed > bytes.size()) throw Malformed("the file is truncated within a column");
      all += entries;
      add(one.at("name"), one.at("type"), entries, bytes.substr(0, packed));
      bytes.remove_prefix(packed);
    }
  }

  [[nodiscard]] bool has(const std::string& name) const { return columns_.contains(name); }
  int64_t whole(const std::string& name) { return next(name, &Column::integers); }
  double real(const std::string& name) { return next(name, &Column::reals); }
  bool flag(const std::string& name) { return whole(name) != 0; }
  std::string text(const std::string& name) {
    const auto place = static_cast<uint64_t>(whole(name));
    if (place >= texts_.size()) throw Malformed("column " + name + " refers to no text");
    textBytes_ += texts_[place].size();
    if (textBytes_ > kMostTextBytes) throw Malformed("the points' texts are too long together");
    return texts_[place];
  }
  template <class T>
  void take(const std::string& name, T& value) {
    if constexpr (std::is_same_v<T, std::string>)
      value = text(name);
    else if constexpr (std::is_floating_point_v<T>)
      value = real(name);
    else
      value = static_cast<T>(whole(name));
  }
  /// Reads a value if the column named `name` and "?" marks it as present.
  template <class T>
  void take(const std::string& name, std::optional<T>& value) {
    if (flag(name + "?")) take(name, value.emplace());
  }
  template <class T>
  void series(const std::string& name, std::vector<T>& values) {
    for (int64_t left = whole(name + "#"); left > 0; --left)
      values.push_back(static_cast<T>(whole(name)));
  }

 private:
  struct Column {
    std::vector<int64_t> integers;
    std::vector<double> reals;
    size_t next = 0;
  };

  void add(const std::string& name, const std::string& type, uint64_t entries,
           std::string_view packed) {
    constexpr size_t kMostBytesOfEntry = 10;
    const size_t most = type == "text" ? kMostTextBytes : entries * kMostBytesOfEntry;
    const Result<std::string> plain = inflated(packed, most);
    if (!plain) throw Malformed("column " + name + ": " + plain.error().message);
    Column& column = columns_[name];
    if (type == "integer") {
      auto integers = unpackWhole(std::as_bytes(std::span(*plain)), entries);
      if (!integers) throw Malformed("column " + name + " does not hold whole numbers");
      column.integers = std::move(*integers);
    }
    if (type == "real") column.reals = realsOf(*plain, entries);
    if (type != "text") return;
    size_t begin = 0;
    for (size_t end = 0; (end = plain->find('\n', begin)) != std::string::npos; begin = end + 1)
      texts_.push_back(plain->substr(begin, end - begin));
  }
  template <class T>
  T next(const std::string& name, std::vector<T> Column::*values) {
    const auto at = columns_.find(name);
    if (at == columns_.end() || at->second.next >= (at->second.*values).size())
      throw Malformed("column " + name + " has too few entries");
    return (at->second.*values)[at->second.next++];
  }

  std::map<std::string, Column> columns_;
  std::vector<std::string> texts_;
  size_t textBytes_ = 0;
};

trace::Counters countersFrom(Columns& from) {
  trace::Counters counters;
  for (const trace::CounterField& field : trace::counterFields()) {
    const std::string name = std::string("count.") + field.name;
    if (field.plain != nullptr)
      field.set(counters, static_cast<uint64_t>(from.whole(name)));
    else if (from.has(name + "?") && from.flag(name + "?"))  // Branches were not recorded.
      field.set(counters, static_cast<uint64_t>(from.whole(name)));
  }
  return counters;
}

RecordedCounters recordedCountersFrom(Columns& from) {
  RecordedCounters counters;
  from.take("count.epochs_truncated", counters.epochsTruncated);
  if (from.has("count.copies")) from.take("count.copies", counters.copies);
  from.take("count.price", counters.price);
  counters.total = countersFrom(from);
  for (int64_t left = from.whole("count.rows#"); left > 0; --left)
    counters.epochs.rows.push_back(countersFrom(from));
  for (int64_t left = from.whole("count.runs#"); left > 0; --left) {
    PackedEpochs::Run& run = counters.epochs.runs.emplace_back();
    from.take("count.run_fresh", run.fresh);
    from.take("count.run_back", run.back);
    from.take("count.run_repeats", run.repeats);
  }
  return counters;
}

device::Measurement measurementFrom(Columns& from) {
  device::Measurement m;
  from.take("time.median_ms", m.medianMs);
  from.take("time.min_ms", m.minMs);
  from.take("time.p10_ms", m.p10Ms);
  from.take("time.p90_ms", m.p90Ms);
  from.take("time.repetitions", m.repetitions);
  from.take("time.clock_mhz", m.clockMhz);
  from.take("time.spread", m.spread);
  from.take("time.rejected", m.rejected);
  from.take("time.batch", m.batch);
  from.take("time.power_watts", m.powerWatts);
  from.take("time.cold_median_ms", m.coldMedianMs);
  from.take("time.method", m.method);
  return m;
}

device::MachineFacts machineCodeFrom(Columns& from) {
  device::MachineFacts facts;
  from.take("machine.spill_store_bytes", facts.spillStoreBytes);
  from.take("machine.spill_load_bytes", facts.spillLoadBytes);
  from.take("machine.active_blocks", facts.activeBlocks);
  from.take("machine.limiter", facts.limiter);
  return facts;
}

device::HardwareCounters hardwareFrom(Columns& from) {
  device::HardwareCounters counters;
  from.take("hardware.passes", counters.passes);
  from.take("hardware.caches", counters.caches);
  from.take("hardware.library", counters.library);
  from.take("hardware.refused", counters.refused);
  for (int64_t left = from.whole("hardware.figures#"); left > 0; --left) {
    device::HardwareFigure& figure = counters.figures.emplace_back();
    from.take("hardware.name", figure.name);
    from.take("hardware.metric", figure.metric);
    from.take("hardware.unit", figure.unit);
    from.take("hardware.value", figure.value);
  }
  return counters;
}

trace::Timeline timelineFrom(Columns& from) {
  trace::Timeline t;
  from.take("timeline.device", t.device);
  from.take("timeline.tick_ns", t.tickNs);
  from.take("timeline.multiprocessors", t.multiprocessors);
  from.take("timeline.max_warps", t.maxWarps);
  from.take("timeline.warps_per_block", t.warpsPerBlock);
  from.take("timeline.clock_mhz", t.clockMhz);
  from.take("timeline.price", t.price);
  from.take("timeline.registers", t.registers);
  from.take("timeline.plain_registers", t.plainRegisters);
  from.take("timeline.phases", t.phases);
  from.take("timeline.epochs_per_phase", t.epochsPerPhase);
  from.take("timeline.epochs", t.epochs);
  from.take("timeline.epoch_step", t.epochStep);
  from.series("timeline.sm", t.sm);
  const auto stepNs = static_cast<uint64_t>(from.whole("timeline.step_ns"));
  std::vector<uint64_t> durations;
  from.series("timeline.start_steps", t.startNs);
  from.series("timeline.duration_steps", durations);
  for (size_t i = 0; i < t.startNs.size() && i < durations.size(); ++i) {
    t.startNs[i] *= stepNs;
    t.endNs.push_back(t.startNs[i] + durations[i] * stepNs);
  }
  from.series("timeline.busy_cycles", t.busyWarpCycles);
  from.series("timeline.wait_cycles", t.waitWarpCycles);
  from.series("timeline.active_cycles", t.activeCycles);
  from.series("timeline.epoch_busy", t.epochBusy);
  from.series("timeline.epoch_wait", t.epochWait);
  return t;
}

device::NamedValue timingFrom(Columns& from) {
  device::NamedValue value;
  from.take("timing.id", value.id);
  from.take("timing.unit", value.unit);
  from.take("timing.count", value.count);
  from.take("timing.min", value.min);
  from.take("timing.p10", value.p10);
  from.take("timing.median", value.median);
  from.take("timing.p90", value.p90);
  from.take("timing.first", value.first);
  from.take("timing.method", value.method);
  return value;
}

RecordedPoint pointFrom(Columns& from, const std::vector<RecordedKernel>& kernels) {
  RecordedPoint point;
  from.take("point.kernel", point.kernel);
  if (point.kernel >= kernels.size()) throw Malformed("a point names no kernel");
  for (const std::string& name : kernels[point.kernel].sizes)
    point.sizes[name] = from.whole("point.values");
  for (const std::string& name : kernels[point.kernel].tunables)
    point.tunables[name] = from.whole("point.values");
  from.take("point.launch_hash", point.launchHash);
  from.take("point.output_hash", point.outputHash);
  from.take("point.unix_seconds", point.unixSeconds);
  if (from.has("point.machine")) from.take("point.machine", point.machine);
  from.take("point.compile_ms", point.compileMs);
  from.take("point.shared_bytes", point.sharedBytes);
  from.take("point.registers", point.registers);
  from.take("point.local_bytes", point.localBytes);
  if (from.flag("machine?")) point.machineCode = machineCodeFrom(from);
  if (from.flag("time?")) point.measurement = measurementFrom(from);
  if (from.flag("count?")) point.counters = recordedCountersFrom(from);
  if (from.flag("hardware?")) point.hardware = hardwareFrom(from);
  if (from.flag("timeline?")) point.timeline = timelineFrom(from);
  from.take("timeline.note", point.timelineNote);
  if (from.has("timing#"))
    for (int64_t left = from.whole("timing#"); left > 0; --left)
      point.timings.push_back(timingFrom(from));
  return point;
}

}  // namespace

Result<DeviceRecording> readHeaderV1(std::string_view header) {
  try {
    return recordingOf(parsedHeader(header));
  } catch (const std::exception& wrong) {
    return workError(std::string("its header is invalid: ") + wrong.what());
  }
}

Result<DeviceRecording> readV1(std::string_view header, std::string_view columns) {
  try {
    const Json json = parsedHeader(header);
    DeviceRecording recording = recordingOf(json);
    Columns from(json, columns);
    const uint64_t points = json.at("points");
    if (points > kMostRecordedPoints) throw Malformed("it has too many points");
    for (uint64_t i = 0; i < points; ++i)
      recording.points.push_back(pointFrom(from, recording.kernels));
    return recording;
  } catch (const std::exception& wrong) {
    return workError(wrong.what());
  }
}

}  // namespace tilestep::lab
