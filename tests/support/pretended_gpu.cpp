// SPDX-License-Identifier: Apache-2.0
// A worker that pretends to have a GPU, to try live mode and its frame times without one. Steps and
// counts are the interpreter's; times are invented. Arguments: sampled launches per second, then
// the number of samples that arrive at once at the start.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <thread>

#include "lab/lab.h"
#include "support/source_root.h"
#include "worker/server.h"

namespace tilestep::worker {
namespace {

class PretendedGpu : public Work {
 public:
  PretendedGpu(double perSecond, size_t atOnce)
      : lab_({support::sourceRoot(), "", 1}), perSecond_(perSecond), atOnce_(atOnce) {
    info_.id = "cuda:0";
    info_.name = info_.limits.device = "Pretended GPU";
    info_.computeCapability = "9.0";
    info_.measures = true;
    info_.driver = "none";
  }

  Result<lab::RunResult> run(const lab::Experiment& asked, const device::Cancelled& cancelled,
                             const Progress& progress) override {
    lab::Experiment experiment = asked;
    experiment.device = "simt";
    // Too large for the interpreter, so a smaller launch is counted.
    const bool large = !asked.traceBlock;
    if (large)
      for (auto& [name, value] : experiment.sizes) value = std::min<int64_t>(value, 128);
    Result<lab::RunResult> result = lab_.run(experiment, cancelled, progress);
    if (!result) return result;
    result->device = info_;
    result->plan.operations = 2e9;
    if (asked.measure) {
      device::Measurement m;
      m.medianMs = msOf(asked);
      m.minMs = m.p10Ms = 0.99 * m.medianMs;
      m.p90Ms = 1.02 * m.medianMs;
      m.repetitions = 30;
      result->measurement = m;
    }
    if (asked.timings) {
      const double s = msOf(asked) / 1e3;
      const auto value = [&](const char* id, double median, double first) {
        result->timings.push_back(
            {id, "s", 30, 0.9 * median, 0.95 * median, median, 1.1 * median, first, "Made up."});
      };
      value("clock-unsynchronized", 4e-6, 2e-4);
      value("clock-synchronized", s + 8e-6, s + 4e-4);
      value("events", s + 2e-6, s + 5e-5);
      value("repeated", s, s + 1e-5);
      result->timingsNote.clear();
    }
    return result;
  }
  Result<DevicesReply> devices() override { return DevicesReply{{info_}, "none"}; }
  Result<device::Ceilings> ceilings(const std::string&) override {
    return requestError("a pretended GPU has no ceilings");
  }
  Result<std::string> ptx(const lab::Experiment& experiment, bool woven) override {
    lab::Experiment plain = experiment;
    plain.device = "simt";
    return lab_.ptx(plain, woven);
  }
  Status live(const lab::Experiment& experiment,
              const std::function<void(device::LiveBatch&&)>& sink,
              const device::Cancelled& cancelled, const Progress&) override {
    double at = 0;
    for (size_t left = std::exchange(atOnce_, 0); left > 0;) {
      const size_t now = std::min(left, device::LiveBatch::kMostSamples);
      sink(batchOf(experiment, now, at));
      std::this_thread::sleep_for(std::chrono::milliseconds(40));
      left -= now;
    }
    while (!cancelled()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(40));
      sink(batchOf(experiment, static_cast<size_t>(std::max(perSecond_ * 0.04, 1.0)), at));
    }
    return workError("cancelled");
  }

 private:
  static double msOf(const lab::Experiment& experiment) {
    const auto width = experiment.tunables.find("TILE_WIDTH");
    return 0.2 +
           4.0 / (width != experiment.tunables.end() ? static_cast<double>(width->second) : 6);
  }
  device::LiveBatch batchOf(const lab::Experiment& experiment, size_t samples, double& atMs) {
    device::LiveBatch batch;
    batch.startMs = atMs;
    const double ms = msOf(experiment);
    for (size_t i = 0; i < samples; ++i) {
      noise_ = noise_ * 6364136223846793005ULL + 1442695040888963407ULL;
      const double random = static_cast<double>(noise_ >> 40) / (1 << 24);
      const double slow = random > 0.995 ? 1.3 : 1;
      batch.atMs.push_back(static_cast<float>(atMs - batch.startMs));
      batch.ms.push_back(static_cast<float>(ms * slow * (1 + 0.01 * (random - 0.5))));
      atMs += 1e3 / perSecond_;
    }
    batch.every = std::max(1U, static_cast<uint32_t>(1e3 / perSecond_ / ms));
    batch.launches = samples * batch.every;
    batch.clockMhz = 1980;
    return batch;
  }

  lab::Lab lab_;
  device::DeviceInfo info_;
  double perSecond_;
  size_t atOnce_;
  uint64_t noise_ = 1;
};

}  // namespace
}  // namespace tilestep::worker

int main(int count, char** arguments) {
  std::signal(SIGPIPE, SIG_IGN);
  tilestep::worker::PretendedGpu work(
      count > 1 ? std::atof(arguments[1]) : 1000,
      count > 2 ? static_cast<size_t>(std::atoll(arguments[2])) : 0);
  return tilestep::worker::serveWork(STDIN_FILENO, STDOUT_FILENO, work);
}
