// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/measure/measure.h"

#include <algorithm>
#include <charconv>

namespace tilestep::cuda {
namespace {

/// The approximate duration of one group's samples: cancellation is polled between groups.
constexpr double kGroupMs = 10.0;
/// Power is reported only for measurements at least this long, because its sensor is slow.
constexpr double kPowerMs = 200.0;
/// A batch of at least this many runs is replayed as a graph. The commands of single launches are
/// read from host memory, whose location affects the time of the shortest kernels.
constexpr uint32_t kGraphBatch = 8;

/// Two events and the runs between them.
struct Interval {
  Event start, stop;
};

Result<Interval> makeInterval(const ContextPtr& context) {
  Result<Event> start = makeEvent(context);
  if (!start) return start.error();
  Result<Event> stop = makeEvent(context);
  if (!stop) return stop.error();
  return Interval{std::move(*start), std::move(*stop)};
}

/// Opens the gate on every exit path, because a stream that is never released would block its
/// context.
class Held {
 public:
  explicit Held(MeasureProbe& probe) : probe_(probe) {}
  ~Held() { release(); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  void release() {
    if (held) probe_.release();
    held = false;
  }
  bool held = false;

 private:
  MeasureProbe& probe_;
};

class Measuring {
 public:
  Measuring(Execution& execution, const Program& program, Operands& operands,
            const device::DeviceInfo& info, MeasureTools& tools, bool thorough)
      : execution_(execution),
        program_(program),
        operands_(operands),
        info_(info),
        tools_(tools),
        thorough_(thorough),
        parameters_(operands.parameters()) {}

  Result<device::Measurement> all() {
    if (Status s = openTools(); !s) return s.error();
    const Result<double> estimate = estimateMs();
    if (!estimate) return estimate.error();
    plan_ = planMeasurement(*estimate, !operands_.hasInout(), thorough_);
    if (Status s = makeGraph(); !s) return s.error();
    if (Status s = warmUp(); !s) return s.error();
    std::vector<Sample> samples;
    Judged judged;
    while (!isEnough(plan_, samples, judged)) {
      if (Status s = group(*estimate, samples); !s) return s.error();
      if (Status s = execution_.checkCancelled(); !s) return s.error();
      judged = judge(samples);
    }
    device::Measurement result = summarise(judged);
    result.batch = plan_.batch;
    result.method = methodOf(plan_, result.repetitions, isGated());
    if (graph_) result.method += ", replayed as a graph";
    tellPower(samples, result);
    if (plan_.coldSamples > 0) {
      if (Status s = cold(*estimate, result); !s) return s.error();
    }
    return result;
  }

 private:
  [[nodiscard]] const Api& api() const { return execution_.context()->api(); }
  [[nodiscard]] StreamHandle stream() const { return execution_.stream(); }

  Status openTools() {
    if (!tools_.probe) {
      Result<MeasureProbe> probe = MeasureProbe::open(execution_.context(), info_);
      if (!probe) return probe.error();
      tools_.probe.emplace(std::move(*probe));
    }
    if (thorough_ && !tools_.powerSought) {
      tools_.powerSought = true;
      tools_.power = openPower();
    }
    return {};
  }

  std::unique_ptr<PowerMeter> openPower() {
    DeviceOrdinal device = 0;
    char id[32] = {};
    const size_t colon = info_.id.find(':');
    int ordinal = 0;
    if (colon != std::string::npos) {
      std::from_chars(info_.id.data() + colon + 1, info_.id.data() + info_.id.size(), ordinal);
    }
    if (api().deviceGet(&device, ordinal) != kSuccess) return nullptr;
    if (api().deviceGetPciBusId(id, sizeof id - 1, device) != kSuccess) return nullptr;
    return PowerMeter::open(id);
  }

  Status runs(uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      if (Status s = program_.launch(stream(), parameters_); !s) return s;
    }
    return {};
  }

  Status record(const Event& event) {
    return execution_.note(api().eventRecord(event.get(), stream()), "cuEventRecord");
  }

  Status timed(const Interval& interval, uint32_t count) {
    if (Status s = record(interval.start); !s) return s;
    if (Status s = graph_ && count == plan_.batch ? replay() : runs(count); !s) return s;
    return record(interval.stop);
  }

  Result<double> elapsedMs(const Interval& interval) {
    float ms = 0;
    if (Status s =
            execution_.note(api().eventElapsedTime(&ms, interval.start.get(), interval.stop.get()),
                            "Reading the GPU's clock");
        !s) {
      return s.error();
    }
    return static_cast<double>(ms);
  }

  // The estimate may include cold caches, which the first run of a batch finds as well.
  Result<double> estimateMs() {
    Result<Interval> interval = makeInterval(execution_.context());
    if (!interval) return interval.error();
    if (Status s = operands_.restoreInout(stream()); !s) return s.error();
    if (Status s = timed(*interval, 1); !s) return s.error();
    if (Status s = execution_.finish(); !s) return s.error();
    return elapsedMs(*interval);
  }

  // If the driver has no graphs or rejects this one, runs are launched singly.
  Status makeGraph() {
    if (plan_.batch < kGraphBatch || api().graphInstantiate == nullptr) return {};
    if (api().streamBeginCapture(stream(), kCaptureThreadLocal) != kSuccess) return {};
    const Status captured = runs(plan_.batch);
    GraphHandle handle = nullptr;
    const ApiResult ended = api().streamEndCapture(stream(), &handle);
    const Graph graph(execution_.context(), handle);
    if (!captured || ended != kSuccess || handle == nullptr) return captured;
    GraphExecHandle exec = nullptr;
    if (api().graphInstantiate(&exec, handle, 0) != kSuccess) return {};
    graph_.emplace(execution_.context(), exec);
    return execution_.note(api().graphUpload(exec, stream()), "Uploading a batch of launches");
  }

  Status replay() {
    return execution_.note(api().graphLaunch(graph_->get(), stream()),
                           "Launching a batch of launches");
  }

  // Warms up in pieces that fit into the driver's queue, because a launch that waits for a full
  // queue ignores the time limit.
  Status warmUp() {
    const uint32_t piece = std::max(MeasureProbe::kQueue / launches(), 1U);
    if (graph_) {
      if (Status s = replay(); !s) return s;
    }
    for (uint32_t left = plan_.warmUp; left > 0;) {
      const uint32_t now = std::min(left, piece);
      for (uint32_t i = 0; i < now; ++i) {
        if (Status s = operands_.restoreInout(stream()); !s) return s;
        if (Status s = runs(1); !s) return s;
      }
      if (Status s = execution_.finish(); !s) return s;
      left -= now;
    }
    return {};
  }

  [[nodiscard]] uint32_t launches() const { return std::max(program_.launchCount(), 1U); }
  /// Commands enqueued by one sample: runs, two events, a stamp, restored operands.
  [[nodiscard]] uint32_t queuedBy() const { return plan_.batch * launches() + 8; }
  [[nodiscard]] bool isGated() const {
    return tools_.probe->usable() && queuedBy() <= MeasureProbe::kQueue;
  }
  [[nodiscard]] uint32_t groupSize(double runMs) const {
    const auto byTime =
        static_cast<uint32_t>(std::clamp(kGroupMs / std::max(runMs * plan_.batch, 1e-3), 1.0, 1e6));
    return std::clamp(std::min(byTime, MeasureProbe::kQueue / queuedBy()), 1U,
                      MeasureProbe::kStamps - 1);
  }

  /// Appends one group of samples.
  Status group(double runMs, std::vector<Sample>& samples) {
    const auto left = static_cast<uint32_t>(plan_.mostSamples - samples.size());
    const uint32_t count = std::min(groupSize(runMs), left);
    while (intervals_.size() < count) {
      Result<Interval> interval = makeInterval(execution_.context());
      if (!interval) return interval.error();
      intervals_.push_back(std::move(*interval));
    }
    if (Status s = enqueue(count); !s) return s;
    if (tools_.power && thorough_) {
      if (const auto watts = tools_.power->watts()) watts_.push_back(*watts);
    }
    if (Status s = execution_.finish(); !s) return s;
    const Result<std::vector<double>> clocks = tools_.probe->clocksMhz(count + 1);
    if (!clocks) return clocks.error();
    for (uint32_t i = 0; i < count; ++i) {
      const Result<double> ms = elapsedMs(intervals_[i]);
      if (!ms) return ms.error();
      samples.push_back({*ms / plan_.batch, (*clocks)[i]});
    }
    return {};
  }

  Status enqueue(uint32_t count) {
    MeasureProbe& probe = *tools_.probe;
    Held gate(probe);
    if (isGated()) {
      if (Status s = probe.hold(stream()); !s) return s;
      gate.held = true;
    }
    if (Status s = probe.stamp(stream(), 0); !s) return s;
    for (uint32_t i = 0; i < count; ++i) {
      if (Status s = operands_.restoreInout(stream()); !s) return s;
      if (Status s = timed(intervals_[i], plan_.batch); !s) return s;
      if (Status s = probe.stamp(stream(), i + 1); !s) return s;
    }
    return {};
  }

  void tellPower(const std::vector<Sample>& samples, device::Measurement& result) const {
    double spentMs = 0, sum = 0;
    for (const Sample& sample : samples) spentMs += sample.ms * plan_.batch;
    if (watts_.size() < 2 || spentMs < kPowerMs) return;
    // The sensor lags, so the first half of the readings still shows the earlier power.
    for (size_t i = watts_.size() / 2; i < watts_.size(); ++i) sum += watts_[i];
    result.powerWatts = sum / static_cast<double>(watts_.size() - watts_.size() / 2);
  }

  Status cold(double runMs, device::Measurement& result) {
    if (!tools_.cold) {
      Result<ColdCaches> made = ColdCaches::make(execution_.context(), info_);
      if (!made) return made.error();
      tools_.cold.emplace(std::move(*made));
    }
    plan_.batch = 1;
    graph_.reset();
    std::vector<double> coldMs;
    while (coldMs.size() < plan_.coldSamples) {
      const auto left = static_cast<uint32_t>(plan_.coldSamples - coldMs.size());
      const uint32_t count =
          std::min({groupSize(runMs), left, static_cast<uint32_t>(intervals_.size())});
      if (Status s = enqueueCold(count); !s) return s;
      if (Status s = execution_.finish(); !s) return s;
      if (Status s = execution_.checkCancelled(); !s) return s;
      for (uint32_t i = 0; i < count; ++i) {
        const Result<double> ms = elapsedMs(intervals_[i]);
        if (!ms) return ms.error();
        coldMs.push_back(*ms);
      }
    }
    result.coldMedianMs = median(std::move(coldMs));
    return {};
  }

  Status enqueueCold(uint32_t count) {
    Held gate(*tools_.probe);
    if (isGated()) {
      if (Status s = tools_.probe->hold(stream()); !s) return s;
      gate.held = true;
    }
    for (uint32_t i = 0; i < count; ++i) {
      if (Status s = operands_.restoreInout(stream()); !s) return s;
      if (Status s = tools_.cold->flush(stream()); !s) return s;
      if (Status s = timed(intervals_[i], 1); !s) return s;
    }
    return {};
  }

  Execution& execution_;
  const Program& program_;
  Operands& operands_;
  const device::DeviceInfo& info_;
  MeasureTools& tools_;
  const bool thorough_;
  std::vector<void*> parameters_;
  MeasurePlan plan_;
  std::optional<GraphExec> graph_;
  std::vector<Interval> intervals_;
  std::vector<double> watts_;
};

}  // namespace

Result<device::Measurement> measure(Execution& execution, const Program& program,
                                    Operands& operands, const device::DeviceInfo& info,
                                    MeasureTools& tools, bool thorough) {
  return Measuring(execution, program, operands, info, tools, thorough).all();
}

Result<double> timeBriefly(Execution& execution, const Program& program, Operands& operands,
                           double estimateMs) {
  const Api& api = execution.context()->api();
  const StreamHandle stream = execution.stream();
  std::vector<void*> parameters = operands.parameters();
  Result<Event> start = makeEvent(execution.context());
  if (!start) return start.error();
  Result<Event> stop = makeEvent(execution.context());
  if (!stop) return stop.error();
  const uint32_t batch = planMeasurement(estimateMs, !operands.hasInout(), false).batch;
  if (Status s = execution.note(api.eventRecord(start->get(), stream), "cuEventRecord"); !s) {
    return s.error();
  }
  for (uint32_t i = 0; i < batch; ++i) {
    if (Status s = program.launch(stream, parameters); !s) return s.error();
  }
  if (Status s = execution.note(api.eventRecord(stop->get(), stream), "cuEventRecord"); !s) {
    return s.error();
  }
  if (Status s = execution.finish(); !s) return s.error();
  float ms = 0;
  if (Status s = execution.note(api.eventElapsedTime(&ms, start->get(), stop->get()),
                                "Reading the GPU's clock");
      !s) {
    return s.error();
  }
  return static_cast<double>(ms) / batch;
}

}  // namespace tilestep::cuda
