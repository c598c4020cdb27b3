// SPDX-License-Identifier: Apache-2.0
// Thread instructions a second of processor time, on one thread, for every kernel of kernels/ and
// tests/corpus/: plain, with counters, with all checks, and with a trace of the first block. Ends
// with the slowest. Decoding is left out: see decode_bench.cpp.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>

#include "support/kernels.h"

namespace {

using namespace tilestep;
using namespace tilestep::bench;

constexpr uint64_t kLeast =
    16'000'000;  ///< Thread instructions of a run, where it can be so large.
constexpr size_t kShown = 10;

/// One kernel at a time is in memory: its four benchmarks follow each other.
const Sized* sizedOnce(const Kernel& kernel) {
  static std::string name;
  static Result<Sized> made = requestError("none yet");
  if (name != kernel.name) made = sized(kernel, kLeast);
  name = kernel.name;
  return made ? &*made : nullptr;
}

void run(benchmark::State& state, const Kernel& kernel, Mode mode) {
  const Sized* it = sizedOnce(kernel);
  if (it == nullptr) return state.SkipWithError("it does not run");
  for (auto _ : state) state.SetIterationTime(it->runnable->run(mode));
  state.SetLabel(it->sizes);
  state.counters["thread-instr"] = static_cast<double>(it->threadInstructions);
  state.counters["thread-instr/s"] = benchmark::Counter(
      static_cast<double>(it->threadInstructions), benchmark::Counter::kIsIterationInvariantRate);
}

/// Keeps the rates, to end with the slowest.
class Slowest : public benchmark::ConsoleReporter {
 public:
  Slowest() : ConsoleReporter(OO_Tabular) {}
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& each : runs) {
      const auto rate = each.counters.find("thread-instr/s");
      if (rate == each.counters.end()) continue;
      const std::string name = each.run_name.function_name;
      const size_t slash = name.find('/');
      rates_[name.substr(slash + 1)].emplace_back(rate->second.value, name.substr(0, slash));
    }
  }
  void Finalize() override {
    ConsoleReporter::Finalize();
    std::cout << std::fixed << std::setprecision(0);
    for (auto& [mode, rates] : rates_) {
      std::sort(rates.begin(), rates.end());
      std::cout << "\n"
                << mode << ": median " << rates[rates.size() / 2].first / 1e6
                << " M/s; the slowest:\n";
      for (size_t i = 0; i < std::min(kShown, rates.size()); ++i) {
        std::cout << std::setw(8) << rates[i].first / 1e6 << " M/s  " << rates[i].second << "\n";
      }
    }
  }

 private:
  std::map<std::string, std::vector<std::pair<double, std::string>>> rates_;
};

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const std::vector<Kernel> kernels = allKernels();
  for (const Kernel& kernel : kernels) {
    for (const Mode mode : {Mode::plain, Mode::counters, Mode::check, Mode::trace}) {
      benchmark::RegisterBenchmark(
          (kernel.name + "/" + nameOf(mode)).c_str(),
          [&kernel, mode](benchmark::State& state) { run(state, kernel, mode); })
          ->UseManualTime()
          ->MinTime(0.03)
          ->Unit(benchmark::kMillisecond);
    }
  }
  Slowest reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
}
