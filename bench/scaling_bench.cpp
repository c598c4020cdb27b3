// SPDX-License-Identifier: Apache-2.0
// Wall time of one launch by the number of threads, up to one a core. `efficiency` is the time of
// one thread over that of k, divided by k; it compares runs of this program alone.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

#include "support/product.h"

namespace {

using namespace tilestep;
using namespace tilestep::bench;
using Clock = std::chrono::steady_clock;

constexpr uint32_t kSize = 1024;

struct Way {
  const char* name;
  bool counters, check;
};
constexpr Way kWays[] = {
    {"plain", false, false}, {"counters", true, false}, {"check", false, true}};

void scaling(benchmark::State& state) {
  static std::map<int64_t, double> alone;  // Seconds of one thread, by way.
  const Way& way = kWays[state.range(0)];
  const auto threads = static_cast<unsigned>(state.range(1));
  static Product product(kTiled, kSize);
  static const auto instructions = static_cast<double>(product.threadInstructions());
  product.request.threads = threads;
  product.request.counters = way.counters;
  product.request.check = way.check;
  double best = 1e9;
  for (auto _ : state) {
    const auto start = Clock::now();
    benchmark::DoNotOptimize(simt::runGrid(product.request, {}));
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    best = std::min(best, seconds);
    state.SetIterationTime(seconds);
  }
  if (threads == 1) alone[state.range(0)] = best;
  state.SetLabel(way.name);
  state.counters["thread-instr/s"] = instructions / best;
  if (alone.count(state.range(0)) != 0) {
    state.counters["efficiency"] = alone[state.range(0)] / best / threads;
  }
}

void upToAllCores(benchmark::internal::Benchmark* bench) {
  const auto cores = static_cast<int64_t>(std::thread::hardware_concurrency());
  for (int64_t way = 0; way < 3; ++way) {
    for (int64_t threads = 1; threads < cores; threads *= 2) bench->Args({way, threads});
    bench->Args({way, cores});
  }
}

}  // namespace

BENCHMARK(scaling)
    ->ArgNames({"way", "threads"})
    ->Apply(upToAllCores)
    ->Iterations(3)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
