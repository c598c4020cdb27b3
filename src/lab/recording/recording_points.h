// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "lab/recording/recording.h"
#include "lab/recording/recording_columns.h"

/// A point's fields and the columns that hold them, once for both directions. Private to
/// recording_file.cpp; docs/recordings.md lists the columns.
namespace tilestep::lab {

class PointWriter {
 public:
  explicit PointWriter(ColumnWriter& columns) : columns_(columns) {}

  template <class T>
  void operator()(const char* name, const T& value) {
    if constexpr (std::is_same_v<T, std::string>) {
      columns_.integer(name, columns_.placeOf(value));
    } else if constexpr (std::is_floating_point_v<T>) {
      columns_.real(name, value);
    } else {
      columns_.integer(name, static_cast<int64_t>(value));
    }
  }
  /// A column that older recordings do not have.
  template <class T>
  void later(const char* name, const T& value) {
    (*this)(name, value);
  }
  template <class T, class Each>
  void optional(const std::string& name, const std::optional<T>& value, Each each) {
    columns_.integer(name + "?", value ? 1 : 0);
    if (value) each(*value);
  }
  template <class T, class Each>
  void list(const std::string& name, const std::vector<T>& values, uint64_t, Each each) {
    columns_.integer(name + "#", static_cast<int64_t>(values.size()));
    for (const T& value : values) each(value);
  }
  template <class T, class Each>
  void laterList(const std::string& name, const std::vector<T>& values, uint64_t most, Each each) {
    list(name, values, most, each);
  }
  template <class T>
  void series(const std::string& name, const std::vector<T>& values, uint64_t) {
    columns_.integer(name + "#", static_cast<int64_t>(values.size()));
    for (const T value : values) columns_.integer(name, static_cast<int64_t>(value));
  }
  static constexpr bool kReads = false;

 private:
  ColumnWriter& columns_;
};

class PointReader {
 public:
  explicit PointReader(ColumnReader& columns) : columns_(columns) {}

  template <class T>
  void operator()(const char* name, T& value) {
    if constexpr (std::is_same_v<T, std::string>) {
      value = columns_.text(name);
    } else if constexpr (std::is_same_v<T, bool>) {
      value = columns_.upTo(name, 1) == 1;
    } else if constexpr (std::is_floating_point_v<T>) {
      value = columns_.real(name);
      if (!std::isfinite(value)) columns_.fail(name, "it is not a finite number");
    } else if constexpr (sizeof(T) == sizeof(int64_t)) {
      value = static_cast<T>(columns_.integer(name));
    } else {
      const int64_t number = columns_.integer(name);
      if (!std::in_range<T>(number))
        columns_.fail(name, std::to_string(number) + " is out of range");
      value = static_cast<T>(number);
    }
  }
  template <class T>
  void later(const char* name, T& value) {
    if (columns_.has(name)) (*this)(name, value);
  }
  template <class T, class Each>
  void optional(const std::string& name, std::optional<T>& value, Each each) {
    value.reset();
    if (columns_.upTo(name + "?", 1) == 1) each(value.emplace());
  }
  /// Grows as entries come, so that a number that lies takes no memory.
  template <class T, class Each>
  void list(const std::string& name, std::vector<T>& values, uint64_t most, Each each) {
    values.clear();
    const uint64_t count = columns_.upTo(name + "#", most);
    for (uint64_t i = 0; i < count && !columns_.error(); ++i) each(values.emplace_back());
  }
  template <class T, class Each>
  void laterList(const std::string& name, std::vector<T>& values, uint64_t most, Each each) {
    values.clear();
    if (columns_.has(name + "#")) list(name, values, most, each);
  }
  /// Whole numbers, many at once.
  template <class T>
  void series(const std::string& name, std::vector<T>& values, uint64_t most) {
    const auto numbers = columns_.integers(name, columns_.upTo(name + "#", most));
    values.clear();
    values.reserve(numbers.size());
    for (const int64_t number : numbers) {
      if (sizeof(T) < sizeof(int64_t) && !std::in_range<T>(number))
        return columns_.fail(name, std::to_string(number) + " is out of range");
      values.push_back(static_cast<T>(number));
    }
  }
  void fail(const char* name, const std::string& what) { columns_.fail(name, what); }
  [[nodiscard]] bool failed() const { return columns_.error().has_value(); }
  static constexpr bool kReads = true;

 private:
  ColumnReader& columns_;
};

template <class Io, class Counters>
void describeCounters(Io& io, Counters& c) {
  const auto global = [&](const char* const* names, auto& counts) {
    io(names[0], counts.threads);
    io(names[1], counts.requests);
    io(names[2], counts.sectors);
    io(names[3], counts.bytes);
    io(names[4], counts.distinctBytes);
  };
  static constexpr const char* kLoad[] = {"count.global_load_threads", "count.global_load_requests",
                                          "count.global_load_sectors", "count.global_load_bytes",
                                          "count.global_load_distinct_bytes"};
  static constexpr const char* kStore[] = {
      "count.global_store_threads", "count.global_store_requests", "count.global_store_sectors",
      "count.global_store_bytes", "count.global_store_distinct_bytes"};
  global(kLoad, c.globalLoad);
  global(kStore, c.globalStore);
  io("count.shared_load_requests", c.sharedLoad.requests);
  io("count.shared_load_wavefronts", c.sharedLoad.wavefronts);
  io("count.shared_load_bank_conflicts", c.sharedLoad.bankConflicts);
  io("count.shared_store_requests", c.sharedStore.requests);
  io("count.shared_store_wavefronts", c.sharedStore.wavefronts);
  io("count.shared_store_bank_conflicts", c.sharedStore.bankConflicts);
  io("count.barriers", c.barriers);
  io("count.ffma", c.ffma);
  io("count.fadd", c.fadd);
  io("count.fmul", c.fmul);
  io("count.thread_instructions", c.threadInstructions);
  io.optional("count.warp_instructions", c.warpInstructions,
              [&](auto& v) { io("count.warp_instructions", v); });
  io.optional("count.divergent_branches", c.divergentBranches,
              [&](auto& v) { io("count.divergent_branches", v); });
}

template <class Io, class Recorded>
void describeRecordedCounters(Io& io, Recorded& c) {
  constexpr uint64_t kMost = trace::GridCounters::kMaxEpochs;
  io("count.epochs_truncated", c.epochsTruncated);
  io.later("count.copies", c.copies);
  io.optional("count.price", c.price, [&](auto& v) { io("count.price", v); });
  describeCounters(io, c.total);
  io.list("count.rows", c.epochs.rows, kMost, [&](auto& row) { describeCounters(io, row); });
  io.list("count.runs", c.epochs.runs, kMost, [&](auto& run) {
    io("count.run_fresh", run.fresh);
    io("count.run_back", run.back);
    io("count.run_repeats", run.repeats);
  });
}

template <class Io, class Measurement>
void describeMeasurement(Io& io, Measurement& m) {
  io("time.median_ms", m.medianMs);
  io("time.min_ms", m.minMs);
  io("time.p10_ms", m.p10Ms);
  io("time.p90_ms", m.p90Ms);
  io("time.repetitions", m.repetitions);
  io.optional("time.clock_mhz", m.clockMhz, [&](auto& v) { io("time.clock_mhz", v); });
  io("time.spread", m.spread);
  io("time.rejected", m.rejected);
  io("time.batch", m.batch);
  io.optional("time.power_watts", m.powerWatts, [&](auto& v) { io("time.power_watts", v); });
  io.optional("time.cold_median_ms", m.coldMedianMs,
              [&](auto& v) { io("time.cold_median_ms", v); });
  io("time.method", m.method);
}

template <class Io, class Hardware>
void describeHardware(Io& io, Hardware& h) {
  constexpr uint64_t kMostFigures = 256;
  io("hardware.passes", h.passes);
  uint32_t caches = static_cast<uint32_t>(h.caches);
  io("hardware.caches", caches);
  io("hardware.library", h.library);
  io("hardware.refused", h.refused);
  if constexpr (Io::kReads) {
    if (caches > static_cast<uint32_t>(device::CacheState::warm))
      io.fail("hardware.caches", "it is neither cold (0) nor warm (1)");
    h.caches = caches == 0 ? device::CacheState::cold : device::CacheState::warm;
  }
  io.list("hardware.figures", h.figures, kMostFigures, [&](auto& figure) {
    io("hardware.name", figure.name);
    io("hardware.metric", figure.metric);
    uint32_t unit = static_cast<uint32_t>(figure.unit);
    io("hardware.unit", unit);
    io("hardware.value", figure.value);
    if constexpr (Io::kReads) {
      if (unit > static_cast<uint32_t>(Unit::ratio)) io.fail("hardware.unit", "it is unknown");
      constexpr double kMostCounted = 1e18;
      if (!(figure.value >= 0 && figure.value <= kMostCounted))
        io.fail("hardware.value", "it is not a count: from 0 to 1e18");
      figure.unit = static_cast<Unit>(std::min(unit, static_cast<uint32_t>(Unit::ratio)));
    }
  });
}

/// When blocks ran, in steps of `stepNs`: starts, and durations instead of ends.
struct BlockTimes {
  uint32_t stepNs = 1;
  std::vector<uint64_t> start, duration;
};
[[nodiscard]] inline BlockTimes blockTimesOf(const trace::Timeline& t) {
  BlockTimes times{t.tickNs, t.startNs, {}};
  const auto whole = [&](uint64_t ns) { return t.tickNs > 0 && ns % t.tickNs == 0; };
  if (!std::ranges::all_of(t.startNs, whole) || !std::ranges::all_of(t.endNs, whole))
    times.stepNs = 1;
  for (size_t i = 0; i < times.start.size(); ++i) {
    times.duration.push_back((t.endNs[i] - t.startNs[i]) / times.stepNs);
    times.start[i] /= times.stepNs;
  }
  return times;
}
/// What overflows is the longest time of all, which the timeline's own check refuses.
inline void putBlockTimes(const BlockTimes& times, trace::Timeline& t) {
  constexpr uint64_t kMost = ~uint64_t{0};
  const auto ns = [&](uint64_t steps) {
    return times.stepNs != 0 && steps > kMost / times.stepNs ? kMost : steps * times.stepNs;
  };
  for (size_t i = 0; i < times.start.size() && i < times.duration.size(); ++i) {
    const uint64_t start = ns(times.start[i]), duration = ns(times.duration[i]);
    t.startNs.push_back(start);
    t.endNs.push_back(duration > kMost - start ? kMost : start + duration);
  }
}

template <class Io, class Timeline>
void describeTimeline(Io& io, Timeline& t) {
  io("timeline.device", t.device);
  io("timeline.tick_ns", t.tickNs);
  io("timeline.multiprocessors", t.multiprocessors);
  io("timeline.max_warps", t.maxWarps);
  io("timeline.warps_per_block", t.warpsPerBlock);
  io("timeline.clock_mhz", t.clockMhz);
  io("timeline.price", t.price);
  io("timeline.registers", t.registers);
  io("timeline.plain_registers", t.plainRegisters);
  io("timeline.phases", t.phases);
  io("timeline.epochs_per_phase", t.epochsPerPhase);
  io("timeline.epochs", t.epochs);
  io("timeline.epoch_step", t.epochStep);
  constexpr uint64_t kCells = trace::Timeline::kEpochCapBytes;
  io.series("timeline.sm", t.sm, trace::Timeline::kMaxBlocks);
  BlockTimes times;
  if constexpr (!Io::kReads) times = blockTimesOf(t);
  io("timeline.step_ns", times.stepNs);
  io.series("timeline.start_steps", times.start, trace::Timeline::kMaxBlocks);
  io.series("timeline.duration_steps", times.duration, trace::Timeline::kMaxBlocks);
  if constexpr (Io::kReads) {
    if (times.start.size() != times.duration.size())
      io.fail("timeline.duration_steps", "there are not as many as starts");
    putBlockTimes(times, t);
  }
  io.series("timeline.busy_cycles", t.busyWarpCycles, trace::Timeline::kMaxBlocks);
  io.series("timeline.wait_cycles", t.waitWarpCycles, trace::Timeline::kMaxBlocks);
  io.series("timeline.active_cycles", t.activeCycles, 65536);
  io.series("timeline.epoch_busy", t.epochBusy, kCells);
  io.series("timeline.epoch_wait", t.epochWait, kCells);
}

template <class Io, class Value>
void describeNamedValue(Io& io, Value& v) {
  io("timing.id", v.id);
  io("timing.unit", v.unit);
  io("timing.count", v.count);
  io("timing.min", v.min);
  io("timing.p10", v.p10);
  io("timing.median", v.median);
  io("timing.p90", v.p90);
  io("timing.first", v.first);
  io("timing.method", v.method);
}

/// Without the kernel's index, sizes and tunables, which depend on the kernel's names.
template <class Io, class Point>
void describePoint(Io& io, Point& p) {
  io("point.launch_hash", p.launchHash);
  io("point.output_hash", p.outputHash);
  io("point.unix_seconds", p.unixSeconds);
  io.later("point.machine", p.machine);
  io("point.compile_ms", p.compileMs);
  io("point.shared_bytes", p.sharedBytes);
  io.optional("point.registers", p.registers, [&](auto& v) { io("point.registers", v); });
  io.optional("point.local_bytes", p.localBytes, [&](auto& v) { io("point.local_bytes", v); });
  io.optional("machine", p.machineCode, [&](auto& m) {
    io.optional("machine.spill_store_bytes", m.spillStoreBytes,
                [&](auto& v) { io("machine.spill_store_bytes", v); });
    io.optional("machine.spill_load_bytes", m.spillLoadBytes,
                [&](auto& v) { io("machine.spill_load_bytes", v); });
    io("machine.active_blocks", m.activeBlocks);
    io("machine.limiter", m.limiter);
  });
  io.optional("time", p.measurement, [&](auto& m) { describeMeasurement(io, m); });
  io.optional("count", p.counters, [&](auto& c) { describeRecordedCounters(io, c); });
  io.optional("hardware", p.hardware, [&](auto& h) { describeHardware(io, h); });
  io.optional("timeline", p.timeline, [&](auto& t) { describeTimeline(io, t); });
  io("timeline.note", p.timelineNote);
  io.laterList("timing", p.timings, device::NamedValue::kMost,
               [&](auto& v) { describeNamedValue(io, v); });
}

}  // namespace tilestep::lab
