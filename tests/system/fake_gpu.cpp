// SPDX-License-Identifier: Apache-2.0
// A worker that pretends to have a GPU, for tests of `record` and `sweep --best`. Its times depend
// on the sizes. Arguments: 1. the milliseconds that each run takes; 2. the GPU's name; 3. a
// behaviour; 4. which of the GPUs of that name it is. Behaviours: "valley" is faster the nearer
// each tunable is to 8, and tunables with a product above a million spill. "wrong" is like
// "valley", with wrong results if the first tunable is 8. "lost until FILE" ends at each run with
// TILE_WIDTH 4 until that file exists.
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "lab/recording/recording.h"
#include "worker/server.h"

namespace tilestep::worker {
namespace {

class FakeGpu : public Work {
 public:
  FakeGpu(int milliseconds, const std::string& name, std::string mode, std::string identity)
      : milliseconds_(milliseconds), mode_(std::move(mode)) {
    info_.id = "cuda:0";
    info_.name = info_.limits.device = name;
    info_.computeCapability = "9.0";
    info_.measures = true;
    info_.driver = "1.2";
    info_.identity = std::move(identity);
    if (mode_.starts_with(kLost)) untilFile_ = std::exchange(mode_, "").substr(kLost.size());
    if (mode_.empty()) return;
    info_.multiprocessors = 132;
    info_.registersPerMultiprocessor = 65536;
    info_.sharedBytesPerMultiprocessor = 233472;
    info_.threadsPerMultiprocessor = 2048;
    info_.blocksPerMultiprocessor = 32;
  }

  Result<lab::RunResult> run(const lab::Experiment& experiment, const device::Cancelled&,
                             const Progress& progress) override {
    progress(std::string("pretending"));
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds_));
    const auto spec = compile::parseKernel(experiment.source);
    const auto plan = compile::plan(*spec, experiment.sizes, experiment.tunables, info_.limits);
    if (!plan) return plan.error();
    lab::RunResult result;
    result.kernel = spec->name;
    result.source = experiment.source.path;
    result.device = info_;
    result.plan = *plan;
    result.compiler = {"fake", "1", "compute_75"};
    if (!mode_.empty()) addMachineCode(result);
    if (experiment.loadOnly) return result;
    const auto width = plan->tunables.find("TILE_WIDTH");
    if (width != plan->tunables.end() && width->second == 4 && isLost()) ::_exit(9);
    if (width != plan->tunables.end() && width->second == 3) {
      result.faults.push_back({"out-of-bounds", {}, 0, 1, "past the end"});
      return result;
    }
    const auto rows = plan->sizes.find("m");
    const auto size =
        static_cast<double>((rows != plan->sizes.end() ? rows : plan->sizes.begin())->second);
    device::Measurement m;
    m.medianMs = m.minMs = m.p10Ms = m.p90Ms = size / 1000 * slowness(result);
    m.repetitions = 10;
    if (experiment.measure) result.measurement = m;
    if (experiment.timings)
      for (const char* id : {"clock-unsynchronized", "clock-synchronized", "events", "repeated"})
        result.timings.push_back({id, "s", 30, 1e-6, 2e-6, 3e-6, 4e-6, 9e-6, "Made up."});
    const bool wrong = mode_ == "wrong" && plan->tunables.begin()->second == 8;
    if (experiment.check) result.check = lab::Check{"float64", wrong ? 1 : 1e-8, 1e-6, 0, !wrong};
    result.counters.emplace().epochs.resize(3);
    return result;
  }
  Result<DevicesReply> devices() override { return DevicesReply{{info_}, "fake"}; }
  Result<device::Ceilings> ceilings(const std::string&) override {
    device::Ceilings ceilings;
    ceilings.device = info_.name;
    ceilings.origin = "measured on " + info_.identity;
    ceilings.dramBytesPerSecond = 1e12;
    return ceilings;
  }
  Result<std::string> ptx(const lab::Experiment&, bool) override { return workError("no"); }

 private:
  static constexpr std::string_view kLost = "lost until ";

  [[nodiscard]] bool isLost() const {
    return !untilFile_.empty() && !std::filesystem::exists(untilFile_);
  }
  static void addMachineCode(lab::RunResult& result) {
    double product = 1;
    for (const auto& [name, value] : result.plan.tunables) product *= static_cast<double>(value);
    result.registers = 64;
    result.localBytes = product > 1e6 ? 400 : 0;
    result.sharedBytes = 1024;
  }
  [[nodiscard]] double slowness(const lab::RunResult& result) const {
    double factor = 1;
    for (const auto& [name, value] : result.plan.tunables)
      factor += mode_.empty() ? 0 : std::abs(std::log2(static_cast<double>(value) / 8));
    return factor;
  }

  int milliseconds_;
  std::string mode_, untilFile_;
  device::DeviceInfo info_;
};

}  // namespace
}  // namespace tilestep::worker

int main(int count, char** arguments) {
  std::signal(SIGPIPE, SIG_IGN);
  tilestep::worker::FakeGpu work(count > 1 ? std::atoi(arguments[1]) : 0,
                                 count > 2 ? arguments[2] : "Fake GPU",
                                 count > 3 ? arguments[3] : "", count > 4 ? arguments[4] : "first");
  return tilestep::worker::serveWork(STDIN_FILENO, STDOUT_FILENO, work);
}
