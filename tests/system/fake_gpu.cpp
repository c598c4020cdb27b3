// SPDX-License-Identifier: Apache-2.0
// A worker that says it has a GPU, for tests of `record`: its times are what the sizes say, and it
// takes as many milliseconds for each as its argument says. A second argument names the GPU.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <thread>

#include "lab/recording.h"
#include "worker/server.h"

namespace tilestep::worker {
namespace {

class FakeGpu : public Work {
 public:
  FakeGpu(int milliseconds, const std::string& name) : milliseconds_(milliseconds) {
    info_.id = "cuda:0";
    info_.name = info_.limits.device = name;
    info_.computeCapability = "9.0";
    info_.measures = true;
    info_.driver = "1.2";
  }

  tilestep::Result<lab::Result> run(const lab::Experiment& experiment, const device::Cancelled&,
                                    const Progress& progress) override {
    progress(std::string("pretending"));
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds_));
    const auto spec = compile::parseKernel(experiment.source);
    const auto plan = compile::plan(*spec, experiment.sizes, experiment.tunables, info_.limits);
    if (!plan) return plan.error();
    lab::Result result;
    result.kernel = spec->name;
    result.device = info_;
    result.plan = *plan;
    result.compiler = {"fake", "1", "compute_75"};
    if (plan->tunables.at("TILE_WIDTH") == 3) {
      result.faults.push_back({"out-of-bounds", {}, 0, 1, "past the end"});
      return result;
    }
    const auto size = static_cast<double>(plan->sizes.at("m"));
    device::Measurement m;
    m.medianMs = m.minMs = m.p10Ms = m.p90Ms = size / 1000;
    m.repetitions = 10;
    result.measurement = m;
    result.counters.emplace().epochs.resize(3);
    return result;
  }
  tilestep::Result<DevicesReply> devices() override { return DevicesReply{{info_}, "fake"}; }
  tilestep::Result<device::Ceilings> ceilings(const std::string&) override {
    device::Ceilings ceilings;
    ceilings.device = info_.name;
    ceilings.origin = "measured 2026-11-21";
    ceilings.dramBytesPerSecond = 1e12;
    return ceilings;
  }
  tilestep::Result<std::string> ptx(const lab::Experiment&, bool) override {
    return workError("no");
  }

 private:
  int milliseconds_;
  device::DeviceInfo info_;
};

}  // namespace
}  // namespace tilestep::worker

int main(int count, char** arguments) {
  std::signal(SIGPIPE, SIG_IGN);
  tilestep::worker::FakeGpu work(count > 1 ? std::atoi(arguments[1]) : 0,
                                 count > 2 ? arguments[2] : "Fake GPU");
  return tilestep::worker::serveWork(STDIN_FILENO, STDOUT_FILENO, work);
}
