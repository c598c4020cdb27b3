// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/measure/launch_timings.h"

#include <chrono>
#include <cstdint>
#include <utility>

#include "device/cuda/driver/program.h"
#include "device/cuda/measure/sampling.h"

namespace tilestep::cuda {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr size_t kSamples = 30;
/// The time limit for one method's samples; at least one sample is taken.
constexpr auto kLongest = 1s;
/// Warm-up runs after the first sample: at least this many, for at least this long.
constexpr uint32_t kLeastWarmUp = 3, kMostWarmUp = 200;
constexpr auto kWarmUp = 3ms;

constexpr const char* kUnsynchronizedMethod =
    "A CPU clock before and after the launch call, which returns once the launch is queued; "
    "nothing waits for the kernel.";
constexpr const char* kSynchronizedMethod =
    "A CPU clock before the launch call and after the kernel's end, which the CPU waits for by "
    "polling.";
constexpr const char* kEventsMethod =
    "Two CUDA events in the stream of a GPU with nothing else to do, one before and one after a "
    "single launch.";
constexpr const char* kRepeatedMethod =
    "Two CUDA events around launches back to back, after a warm-up, divided by their number: ";

double msSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

class LaunchTimings {
 public:
  LaunchTimings(Execution& execution, const device::Job& job, Operands& operands,
                const device::DeviceInfo& info, MeasureTools& tools)
      : execution_(execution), job_(job), operands_(operands), info_(info), tools_(tools) {}

  Result<std::vector<device::NamedValue>> all(const std::optional<device::Measurement>& measured) {
    std::vector<device::NamedValue> values;
    for (const auto& [id, method, sample] :
         {Way{kClockUnsynchronized, kUnsynchronizedMethod, &LaunchTimings::unsynchronized},
          Way{kClockSynchronized, kSynchronizedMethod, &LaunchTimings::synchronized},
          Way{kEvents, kEventsMethod, &LaunchTimings::betweenEvents}}) {
      Result<device::NamedValue> value = sampled(id, method, sample);
      if (!value) return value.error();
      values.push_back(std::move(*value));
    }
    Result<device::NamedValue> last = repeated(1e3 * values.back().median, measured);
    if (!last) return last.error();
    values.push_back(std::move(*last));
    return values;
  }

 private:
  /// One sample in ms, started with an empty stream.
  using Sample = Result<double> (LaunchTimings::*)();
  struct Way {
    const char* id;
    const char* method;
    Sample sample;
  };

  [[nodiscard]] const Api& api() const { return execution_.context()->api(); }
  [[nodiscard]] StreamHandle stream() const { return execution_.stream(); }

  /// Loads the kernel as a program that has never been launched.
  Status load() {
    program_.reset();
    Result<Program> program = Program::load(execution_.context(), job_.ptx, job_.launches, info_);
    if (!program) return program.error();
    program_.emplace(std::move(*program));
    if (Status s = operands_.bind(program_->module()); !s) return s;
    if (Status s = operands_.prepare(stream(), kFirstPoison); !s) return s;
    parameters_ = operands_.parameters();
    for (Event* event : {&start_, &stop_}) {
      Result<Event> made = makeEvent(execution_.context());
      if (!made) return made.error();
      *event = std::move(*made);
    }
    return execution_.finish();
  }

  Status launch() { return program_->launch(stream(), parameters_); }

  Status record(const Event& event) {
    return execution_.note(api().eventRecord(event.get(), stream()), "cuEventRecord");
  }

  Result<double> unsynchronized() {
    const Clock::time_point begun = Clock::now();
    if (Status s = launch(); !s) return s.error();
    const double ms = msSince(begun);
    if (Status s = execution_.finish(); !s) return s.error();
    return ms;
  }

  Result<double> synchronized() {
    const Clock::time_point begun = Clock::now();
    if (Status s = launch(); !s) return s.error();
    if (Status s = execution_.finishAtOnce(); !s) return s.error();
    return msSince(begun);
  }

  Result<double> betweenEvents() {
    if (Status s = record(start_); !s) return s.error();
    if (Status s = launch(); !s) return s.error();
    if (Status s = record(stop_); !s) return s.error();
    if (Status s = execution_.finish(); !s) return s.error();
    float ms = 0;
    const Status read = execution_.note(api().eventElapsedTime(&ms, start_.get(), stop_.get()),
                                        "Reading the GPU's clock");
    if (!read) return read.error();
    return static_cast<double>(ms);
  }

  Result<double> once(Sample sample) {
    if (Status s = execution_.checkCancelled(); !s) return s.error();
    if (operands_.hasInout()) {
      if (Status s = operands_.restoreInout(stream()); !s) return s.error();
      if (Status s = execution_.finish(); !s) return s.error();
    }
    return (this->*sample)();
  }

  Status warmUp(Sample sample) {
    const Clock::time_point begun = Clock::now();
    for (uint32_t i = 0; i < kMostWarmUp; ++i) {
      const auto passed = Clock::now() - begun;
      if (passed > kLongest || (i >= kLeastWarmUp && passed > kWarmUp)) break;
      const Result<double> unused = once(sample);
      if (!unused) return unused.error();
    }
    return {};
  }

  Result<device::NamedValue> sampled(const char* id, const char* method, Sample sample) {
    if (Status s = load(); !s) return s.error();
    const Result<double> first = once(sample);
    if (!first) return first.error();
    if (Status s = warmUp(sample); !s) return s.error();
    std::vector<double> samples;
    const Clock::time_point begun = Clock::now();
    while (samples.size() < kSamples && (samples.empty() || Clock::now() - begun < kLongest)) {
      const Result<double> ms = once(sample);
      if (!ms) return ms.error();
      samples.push_back(*ms);
    }
    return namedValueOf(id, method, samples, *first);
  }

  /// The first sample, too, is the mean of a batch, but of a batch without warm-up.
  Result<device::NamedValue> repeated(double estimateMs,
                                      const std::optional<device::Measurement>& measured) {
    if (Status s = load(); !s) return s.error();
    const Result<double> first = timeBriefly(execution_, *program_, operands_, estimateMs);
    if (!first) return first.error();
    if (measured) return namedValueOf(kRepeated, *measured, *first);
    const Result<device::Measurement> now =
        measure(execution_, *program_, operands_, info_, tools_, false);
    if (!now) return now.error();
    return namedValueOf(kRepeated, *now, *first);
  }

  Execution& execution_;
  const device::Job& job_;
  Operands& operands_;
  const device::DeviceInfo& info_;
  MeasureTools& tools_;
  std::optional<Program> program_;
  std::vector<void*> parameters_;
  Event start_, stop_;
};

}  // namespace

Result<std::vector<device::NamedValue>> timeLaunches(
    Execution& execution, const device::Job& job, Operands& operands,
    const device::DeviceInfo& info, MeasureTools& tools,
    const std::optional<device::Measurement>& measured) {
  return LaunchTimings(execution, job, operands, info, tools).all(measured);
}

device::NamedValue namedValueOf(const std::string& id, const std::string& method,
                                const std::vector<double>& samplesMs, double firstMs) {
  std::vector<Sample> samples;
  for (const double ms : samplesMs) samples.push_back({ms, 0});
  device::NamedValue value = namedValueOf(id, summarise(judge(samples)), firstMs);
  value.method = method;
  return value;
}

device::NamedValue namedValueOf(const std::string& id, const device::Measurement& measured,
                                double firstMs) {
  return {id,
          "s",
          measured.repetitions,
          measured.minMs / 1e3,
          measured.p10Ms / 1e3,
          measured.medianMs / 1e3,
          measured.p90Ms / 1e3,
          firstMs / 1e3,
          kRepeatedMethod + measured.method + "."};
}

}  // namespace tilestep::cuda
