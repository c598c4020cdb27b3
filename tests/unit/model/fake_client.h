// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compile/kernel.h"
#include "trace/tally.h"
#include "unit/trace/toy_kernels.h"
#include "worker/client.h"

namespace tilestep::model {

/// Two SMs with space for two warps each run the launch's one-warp blocks one after the other. Each
/// epoch works for three ns and waits for one.
inline trace::Timeline toyTimeline(const compile::Plan& plan) {
  trace::Timeline t;
  t.device = "cuda:0";
  t.tickNs = 1;
  t.multiprocessors = t.maxWarps = 2;
  t.warpsPerBlock = 1;
  t.clockMhz = 1000;
  t.price = 1.25;
  t.phases = static_cast<uint32_t>(plan.phases);
  t.epochsPerPhase = plan.phases > 0 ? 2 : 0;
  t.epochs = t.phases * t.epochsPerPhase + 1;
  const uint64_t blocks = plan.launches.front().grid.count();
  t.epochStep = blocks * t.epochs < 65536 ? 1 : 0;
  t.activeCycles = {0, 0};
  for (uint32_t b = 0; b < blocks; ++b) {
    const uint64_t start = t.activeCycles[b % 2];
    t.sm.push_back(b % 2);
    t.startNs.push_back(start);
    t.endNs.push_back(start + 4 * t.epochs);
    t.busyWarpCycles.push_back(3 * t.epochs);
    t.waitWarpCycles.push_back(t.epochs);
    t.activeCycles[b % 2] += 4 * t.epochs;
    if (t.epochStep == 0) continue;
    t.epochBusy.insert(t.epochBusy.end(), t.epochs, 3);
    t.epochWait.insert(t.epochWait.end(), t.epochs, 1);
  }
  return t;
}

/// Times of a launch that takes half a millisecond, in seconds.
inline std::vector<device::NamedValue> toyTimings() {
  return {{"clock-unsynchronized", "s", 30, 3e-6, 3.2e-6, 4e-6, 6e-6, 2e-4, "A clock alone."},
          {"clock-synchronized", "s", 30, 5.05e-4, 5.06e-4, 5.1e-4, 5.3e-4, 8e-4, "And a wait."},
          {"events", "s", 30, 5.01e-4, 5.02e-4, 5.03e-4, 5.1e-4, 6e-4, "Two events."},
          {"repeated", "s", 20, 4e-4, 4.5e-4, 5e-4, 6e-4, 5.5e-4, "Many launches."}};
}

/// Makes the result a recorded one; only sizes that 64 divides are recorded.
inline void recordedIn(lab::RunResult& result, uint32_t machine) {
  result.device.recordedOn = "2026-11-21";
  if (machine > 0) {
    result.device.recordedOn = "2026-11-22";
    result.device.machine = machine;
    result.device.machines = 2;
    result.machineCeilings.emplace();
    result.machineCeilings->device = "Test GPU";
    result.machineCeilings->origin = "measured on machine " + std::to_string(machine);
    result.machineCeilings->fp32FlopPerSecond = 2e13;
  }
  if (result.measurement) result.measurement->recorded = true;
  if (result.plan.sizes.at("n") % 64 == 0) return;
  result.counters.reset();
  result.hardware.reset();
  if (!std::exchange(result.timings, {}).empty())
    result.timingsNote = "The recording does not hold this launch timed in several ways.";
  if (std::exchange(result.timeline, std::nullopt)) {
    result.timelineNote = "The recording holds no timeline of this point.";
    result.nearest = lab::Nearest{
        "nothing there", true, {{"m", 512}, {"n", 512}, {"k", 512}}, result.plan.tunables};
  }
  if (!std::exchange(result.measurement, std::nullopt)) return;
  result.nearest = lab::Nearest{
      "nothing there", true, {{"m", 1024}, {"n", 1024}, {"k", 1024}}, result.plan.tunables};
}

/// A worker's answer, made from the toy recordings. Only block (0, 0) is counted. For a recording,
/// `machine` is the index (1 or 2) of the machine that measured the point; 0 if unknown.
inline lab::RunResult toyResult(const lab::Experiment& experiment, uint32_t machine = 0) {
  const compile::KernelSpec spec = compile::parseKernel(experiment.source).value();
  lab::RunResult result;
  result.kernel = spec.name;
  result.source = experiment.source.path;
  result.plan = compile::plan(spec, experiment.sizes, experiment.tunables, Limits{}).value();
  result.device.id = experiment.device;
  result.device.name = experiment.device == "simt" ? "SIMT interpreter" : "Test GPU";
  const auto size = static_cast<uint32_t>(result.plan.sizes.at("n"));
  const Dim3 block = result.plan.launches.front().block;
  const bool rung = experiment.source.path.find("/ladder/") != std::string::npos;
  if (experiment.traceBlock && !rung) {
    auto recording = result.plan.phases > 0 ? trace::toy::tiled(size, block.x)
                                            : trace::toy::naive(size, block.x, block.y);
    result.trace = std::move(recording);
    result.traceFrom = "simt";
  }
  result.counters.emplace();
  result.counters->total.globalLoad = {1000, 32, 80, 4000, 2000};
  if (rung) {  // Two shared loads per multiply-add.
    trace::Counters& total = result.counters->total;
    total.ffma = static_cast<uint64_t>(result.plan.operations / 2);
    total.globalLoad.bytes = total.ffma;
    total.sharedLoad = {total.ffma / 16, total.ffma / 16, 0};
    total.warpInstructions = total.ffma / 8;
  }
  result.outputHash = 42;
  if (experiment.hardware) {
    result.hardware.emplace();
    // The naive kernel reads twice as much.
    const double sectors = result.plan.phases > 0 ? 1000 : 2000;
    result.hardware->figures = {{"l2_read_sectors", "a_metric", Unit::count, sectors},
                                {"l2_write_sectors", "a_metric", Unit::count, 0},
                                {"dram_bytes_read", "a_metric", Unit::bytes, 4096},
                                {"dram_bytes_written", "a_metric", Unit::bytes, 0}};
  }
  if (experiment.measure)
    result.measurement = device::Measurement{false, 0.5, 0.4, 0.45, 0.6, 20, {}};
  if (experiment.thorough) result.measurement->coldMedianMs = 0.75;
  result.blockAlone = experiment.blockAlone;
  if (experiment.timeline) result.timeline = toyTimeline(result.plan);
  if (experiment.timings && experiment.device != "simt") result.timings = toyTimings();
  if (experiment.device.starts_with("recorded:")) recordedIn(result, machine);
  return result;
}

/// Keeps the requests, and answers them when the test says so.
class FakeClient : public worker::Client {
 public:
  struct Asked {
    uint64_t id = 0;
    lab::Experiment experiment;
  };
  struct Log {  ///< Outlives the client, because the session owns the client.
    std::vector<Asked> runs;
    std::vector<Asked> streams;  ///< Requests of live mode.
    std::map<uint64_t, std::deque<device::LiveBatch>> samples;
    std::vector<uint64_t> cancelled;
    std::vector<std::string> ceilingsOf;
    std::deque<worker::Reply> answers;
    bool gpu = false, recording = false;
    std::optional<device::DeviceInfo> more;  ///< An additional device.
    /// Makes the answers; toyResult if empty.
    std::function<lab::RunResult(const lab::Experiment&)> answer;
    bool library = true;  ///< cuBLAS is available.
    /// The machine that measured the recording's points, 1 or 2; 0 if unknown.
    uint32_t machine = 0;
    uint64_t next = 1;

    [[nodiscard]] bool isCancelled(uint64_t id) const {
      return std::ranges::find(cancelled, id) != cancelled.end();
    }
    /// Answers every open run; cancelled runs get an Error, as from a worker.
    void answerRuns() {
      for (const Asked& asked : std::exchange(runs, {})) {
        if (isCancelled(asked.id))
          answers.push_back({asked.id, workError("cancelled")});
        else if (!library && asked.experiment.source.path.starts_with("cublas:"))
          answers.push_back({asked.id, requestError("cuBLAS is not here")});
        else
          answers.push_back({asked.id, lab::shared(answer ? answer(asked.experiment)
                                                          : toyResult(asked.experiment, machine))});
      }
    }
    void fail(const std::string& message) {
      for (const Asked& asked : std::exchange(runs, {}))
        answers.push_back({asked.id, workError(message)});
    }
  };
  explicit FakeClient(std::shared_ptr<Log> log) : log_(std::move(log)) {}

  uint64_t run(const lab::Experiment& experiment) override {
    log_->runs.push_back({log_->next, experiment});
    return log_->next++;
  }
  uint64_t live(const lab::Experiment& experiment) override {
    log_->streams.push_back({log_->next, experiment});
    return log_->next++;
  }
  std::optional<device::LiveBatch> samples(uint64_t id) override {
    std::deque<device::LiveBatch>& batches = log_->samples[id];
    if (batches.empty()) return std::nullopt;
    device::LiveBatch batch = std::move(batches.front());
    batches.pop_front();
    return batch;
  }
  uint64_t devices() override {
    worker::DevicesReply reply;
    device::DeviceInfo simt;
    simt.id = "simt";
    simt.name = "SIMT interpreter";
    reply.devices.push_back(simt);
    if (log_->gpu) {
      device::DeviceInfo gpu;
      gpu.id = "cuda:0";
      gpu.name = "Test GPU";
      gpu.measures = true;
      gpu.computeCapability = "9.0";
      gpu.threadsPerMultiprocessor = 2048;
      reply.devices.push_back(gpu);
    }
    if (log_->recording) {
      device::DeviceInfo recorded;
      recorded.id = "recorded:test-gpu";
      recorded.name = "Test GPU";
      recorded.measures = true;
      recorded.recordedOn = "2026-11-21";
      reply.devices.push_back(recorded);
    }
    if (log_->more) reply.devices.push_back(*log_->more);
    reply.compiler = "a test";
    log_->answers.push_back({log_->next, std::move(reply)});
    return log_->next++;
  }
  uint64_t ceilings(const std::string& device) override {
    log_->ceilingsOf.push_back(device);
    device::Ceilings ceilings;
    ceilings.device = device;
    ceilings.origin = "computed for a test";
    ceilings.dramBytesPerSecond = 1e12;
    ceilings.fp32FlopPerSecond = 1e13;
    log_->answers.push_back({log_->next, ceilings});
    return log_->next++;
  }
  uint64_t ptx(const lab::Experiment&, bool) override { return log_->next++; }
  void cancel(uint64_t id) override { log_->cancelled.push_back(id); }
  std::optional<worker::Reply> poll() override {
    if (log_->answers.empty()) return std::nullopt;
    worker::Reply reply = std::move(log_->answers.front());
    log_->answers.pop_front();
    return reply;
  }
  std::optional<worker::Progress> progress() override { return std::nullopt; }
  worker::Reply wait(uint64_t id) override { return {id, workError("not in tests")}; }

 private:
  std::shared_ptr<Log> log_;
};

}  // namespace tilestep::model
