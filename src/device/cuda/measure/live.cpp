// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/measure/live.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace tilestep::cuda {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr double kLiveGroupMs = 25;
constexpr double kMostPerMs = 1;          ///< Timed launches.
constexpr uint32_t kQueue = 400;          ///< Commands of a group; the driver's queue holds 1024.
constexpr uint32_t kGraph = 8;            ///< The fewest runs that are worth a graph.
constexpr uint32_t kLongestGraph = 1000;  ///< The most commands of a graph.
constexpr auto kSend = 40ms;              ///< Time between two batches.
constexpr auto kClock = 100ms;  ///< Duration of one reading of the multiprocessors' clocks.
constexpr auto kBreath = 2s;

class Streaming {
 public:
  Streaming(Execution& execution, const Program& program, Operands& operands,
            const device::DeviceInfo& info, MeasureTools& tools, const device::LiveOrder& order)
      : execution_(execution),
        program_(program),
        operands_(operands),
        info_(info),
        tools_(tools),
        order_(order),
        parameters_(operands.parameters()) {}

  /// Always ends with an Error; the GPU is then idle, unless the context is abandoned.
  Status all() {
    Status status = begin();
    while (status) status = turn();
    if (!execution_.context()->abandoned()) static_cast<void>(execution_.finish());
    return status;
  }

 private:
  struct Timed {
    Event start, stop;
  };
  struct Group {
    std::vector<Timed> timed;
    Event done;
    bool queued = false, readsClock = false;
  };
  enum class Stamps : uint8_t { none, first, both };

  [[nodiscard]] const Api& api() const { return execution_.context()->api(); }
  [[nodiscard]] StreamHandle stream() const { return execution_.stream(); }

  Status record(const Event& event) {
    return execution_.note(api().eventRecord(event.get(), stream()), "cuEventRecord");
  }

  Status run() {
    if (Status s = operands_.restoreInout(stream()); !s) return s;
    return program_.launch(stream(), parameters_);
  }

  Result<double> elapsedMs(const Event& from, const Event& to) {
    float ms = 0;
    const Status s = execution_.note(api().eventElapsedTime(&ms, from.get(), to.get()),
                                     "Reading the GPU's clock");
    if (!s) return s.error();
    return static_cast<double>(ms);
  }

  Status makeEvents(Group& group, size_t timed) {
    while (group.timed.size() < timed) {
      Result<Event> start = makeEvent(execution_.context());
      if (!start) return start.error();
      Result<Event> stop = makeEvent(execution_.context());
      if (!stop) return stop.error();
      group.timed.push_back({std::move(*start), std::move(*stop)});
    }
    return {};
  }

  Status begin() {
    if (!tools_.probe) {
      Result<MeasureProbe> probe = MeasureProbe::open(execution_.context(), info_);
      if (!probe) return probe.error();
      tools_.probe.emplace(std::move(*probe));
    }
    for (Event* event : {&base_, &nextBase_, &groups_[0].done, &groups_[1].done}) {
      Result<Event> made = makeEvent(execution_.context());
      if (!made) return made.error();
      *event = std::move(*made);
    }
    const Result<double> estimate = estimateMs();
    if (!estimate) return estimate.error();
    const uint32_t restored = operands_.hasInout() ? 4 : 0;
    const bool canReplay = api().graphInstantiate != nullptr;
    plan_ = planLive(*estimate, std::max(program_.launchCount(), 1U) + restored, canReplay);
    if (Status s = makeGraph(); !s) return s;
    for (Group& group : groups_)
      if (Status s = makeEvents(group, plan_.group / plan_.every); !s) return s;
    pending_.every = plan_.every;
    sent_ = breathed_ = Clock::now();
    return record(base_);
  }

  // A short kernel that is launched singly waits for its launch, so the runs between two timed runs
  // are replayed as a graph. If the driver rejects the graph, they are launched singly.
  Status makeGraph() {
    if (!plan_.replay) return {};
    if (api().streamBeginCapture(stream(), kCaptureThreadLocal) != kSuccess) return {};
    Status captured;
    for (uint32_t i = 1; i < plan_.every && captured; ++i) captured = run();
    GraphHandle handle = nullptr;
    const ApiResult ended = api().streamEndCapture(stream(), &handle);
    const Graph graph(execution_.context(), handle);
    if (!captured || ended != kSuccess || handle == nullptr) return captured;
    GraphExecHandle exec = nullptr;
    if (api().graphInstantiate(&exec, handle, 0) != kSuccess) return {};
    between_.emplace(execution_.context(), exec);
    return execution_.note(api().graphUpload(exec, stream()), "Uploading a batch of launches");
  }

  /// Enqueues the untimed runs up to the next timed one.
  Status runBetween() {
    if (between_)
      return execution_.note(api().graphLaunch(between_->get(), stream()),
                             "Launching a batch of launches");
    for (uint32_t i = 1; i < plan_.every; ++i)
      if (Status s = run(); !s) return s;
    return {};
  }

  /// Times the second run, because the first run loads machine code and finds cold caches.
  Result<double> estimateMs() {
    if (Status s = makeEvents(groups_[0], 1); !s) return s.error();
    const Timed& timed = groups_[0].timed.front();
    for (int i = 0; i < 2; ++i) {
      if (Status s = operands_.restoreInout(stream()); !s) return s.error();
      if (Status s = record(timed.start); !s) return s.error();
      if (Status s = program_.launch(stream(), parameters_); !s) return s.error();
      if (Status s = record(timed.stop); !s) return s.error();
      if (Status s = execution_.finish(); !s) return s.error();
    }
    return elapsedMs(timed.start, timed.stop);
  }

  /// Enqueues one group and collects the previous one.
  Status turn() {
    Group& group = groups_[next_];
    if (Status s = enqueue(group); !s) return s;
    next_ = 1 - next_;
    if (Status s = take(groups_[next_]); !s) return s;
    if (Status s = execution_.checkCancelled(); !s) return s;
    if (Clock::now() - breathed_ < kBreath) return {};
    if (Status s = take(group); !s) return s;
    return breathe();
  }

  Status enqueue(Group& group) {
    execution_.restartClock();
    if (Status s = stampClocks(group); !s) return s;
    for (const Timed& timed : group.timed) {
      if (Status s = operands_.restoreInout(stream()); !s) return s;
      if (Status s = record(timed.start); !s) return s;
      if (Status s = program_.launch(stream(), parameters_); !s) return s;
      if (Status s = record(timed.stop); !s) return s;
      if (Status s = runBetween(); !s) return s;
    }
    group.queued = true;
    return record(group.done);
  }

  /// Enqueues a first stamp and, some time later, a second one; then reads both.
  Status stampClocks(Group& group) {
    group.readsClock = false;
    const auto now = Clock::now();
    if (stamps_ == Stamps::none) {
      stamps_ = Stamps::first;
      stamped_ = now;
      return tools_.probe->stamp(stream(), 0);
    }
    if (stamps_ == Stamps::both || now - stamped_ < kClock) return {};
    stamps_ = Stamps::both;
    group.readsClock = true;
    return tools_.probe->stamp(stream(), 1);
  }

  Status take(Group& group) {
    if (!std::exchange(group.queued, false)) return {};
    if (Status s = execution_.await(group.done); !s) return s;
    for (const Timed& timed : group.timed) {
      const Result<double> start = elapsedMs(base_, timed.start);
      if (!start) return start.error();
      const Result<double> ms = elapsedMs(timed.start, timed.stop);
      if (!ms) return ms.error();
      add(baseMs_ + *start, *ms);
    }
    pending_.launches += plan_.group;
    if (group.readsClock) {
      const Result<std::vector<double>> clocks = tools_.probe->clocksMhz(2);
      if (!clocks) return clocks.error();
      if (!clocks->empty() && clocks->front() > 0) pending_.clockMhz = clocks->front();
      stamps_ = Stamps::none;
    }
    if (Clock::now() - sent_ >= kSend || pending_.ms.size() >= device::LiveBatch::kMostSamples / 2)
      send();
    return {};
  }

  void add(double startMs, double ms) {
    if (!(ms > 0)) {  // The clock's tick is too coarse for this span.
      ++pending_.dropped;
      return;
    }
    if (pending_.ms.empty()) pending_.startMs = startMs;
    const auto at = static_cast<float>(std::max(startMs - pending_.startMs, 0.0));
    pending_.atMs.push_back(pending_.atMs.empty() ? at : std::max(at, pending_.atMs.back()));
    pending_.ms.push_back(static_cast<float>(ms));
  }

  void send() {
    sent_ = Clock::now();
    device::LiveBatch batch = std::exchange(pending_, {});
    pending_.every = plan_.every;
    order_.sink(std::move(batch));
  }

  /// Requires an empty queue. Restarts from a new event, so that a float can represent the times
  /// since that event.
  Status breathe() {
    if (order_.breathe) {
      if (Status s = order_.breathe(); !s) return s;
    }
    breathed_ = Clock::now();
    stamps_ = Stamps::none;
    if (Status s = record(nextBase_); !s) return s;
    if (Status s = execution_.finish(); !s) return s;
    const Result<double> passed = elapsedMs(base_, nextBase_);
    if (!passed) return passed.error();
    baseMs_ += *passed;
    std::swap(base_, nextBase_);
    return {};
  }

  Execution& execution_;
  const Program& program_;
  Operands& operands_;
  const device::DeviceInfo& info_;
  MeasureTools& tools_;
  const device::LiveOrder& order_;
  std::vector<void*> parameters_;
  LivePlan plan_;
  std::optional<GraphExec> between_;
  std::array<Group, 2> groups_;
  size_t next_ = 0;
  Event base_, nextBase_;
  double baseMs_ = 0;  ///< The time of base_, measured from the start of the stream.
  device::LiveBatch pending_;
  Clock::time_point sent_, breathed_, stamped_;
  Stamps stamps_ = Stamps::none;
};

}  // namespace

LivePlan planLive(double estimateMs, uint32_t commands, bool canReplay) {
  const double ms = std::max(estimateMs, 1e-3);
  LivePlan plan;
  plan.every = static_cast<uint32_t>(std::max(std::ceil(1 / (ms * kMostPerMs) - 0.01), 1.0));
  plan.every = std::min(plan.every, std::max(kLongestGraph / commands, 1U));
  plan.replay = canReplay && plan.every > kGraph;
  // Commands that a timed run and the following untimed runs enqueue.
  const uint32_t queued = plan.replay ? commands + 3 : plan.every * commands + 2;
  if (!plan.replay) plan.every = std::min(plan.every, std::max(kQueue / (commands + 2), 1U));
  const auto wanted = static_cast<uint32_t>(std::clamp(kLiveGroupMs / ms, 1.0, 1e6));
  plan.group = std::clamp(wanted / plan.every, 1U, std::max(kQueue / queued, 1U)) * plan.every;
  return plan;
}

Status streamLaunches(Execution& execution, const Program& program, Operands& operands,
                      const device::DeviceInfo& info, MeasureTools& tools,
                      const device::LiveOrder& order) {
  return Streaming(execution, program, operands, info, tools, order).all();
}

}  // namespace tilestep::cuda
