// SPDX-License-Identifier: Apache-2.0
// What a scene of a large product costs: running its block alone, cutting the trace into steps, a
// jump to any step, and levels of detail.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>

#include "base/hash.h"
#include "compile/kernel.h"
#include "lab/lab.h"
#include "model/scene/seeded_values.h"
#include "model/scene/traced_kernel.h"
#include "support/source_root.h"

namespace {

using namespace tilestep;

compile::CatalogueEntry entryOf(const std::string& kernel) {
  compile::CatalogueEntry entry;
  entry.source = *compile::findKernel(support::sourceRoot() + "/kernels", kernel);
  entry.spec = *compile::parseKernel(entry.source);
  return entry;
}

lab::RunResult runBlock(int64_t tile, int64_t k) {
  static lab::Lab lab({support::sourceRoot(), "", 0});
  lab::Experiment experiment;
  experiment.source = entryOf("matmul_tiled").source;
  experiment.sizes = {
      {"m", std::min<int64_t>(k, 4096)}, {"n", std::min<int64_t>(k, 4096)}, {"k", k}};
  experiment.tunables = {{"TILE_WIDTH", tile}};
  experiment.device = "simt";
  experiment.check = experiment.counters = experiment.blockAlone = true;
  experiment.traceBlock = Dim3{1, 1, 0};
  experiment.traceBytes = uint64_t{1} << 30;
  auto result = lab.run(experiment, [] { return false; }, {});
  if (!result) {
    std::fprintf(stderr, "%s\n", toString(result.error()).c_str());
    std::exit(1);
  }
  return std::move(*result);
}

std::shared_ptr<const model::TracedKernel> sideOf(int64_t tile, int64_t k) {
  static std::map<std::pair<int64_t, int64_t>, std::shared_ptr<const model::TracedKernel>> known;
  std::shared_ptr<const model::TracedKernel>& side = known[{tile, k}];
  if (!side)
    side = model::traceKernel(entryOf("matmul_tiled"), lab::shared(runBlock(tile, k)), 1, tile);
  return side;
}

/// TILE_WIDTH, k.
void runsABlock(benchmark::State& state) {
  size_t events = 0, bytes = 0;
  for (auto _ : state) {
    const lab::RunResult result = runBlock(state.range(0), state.range(1));
    events = result.trace->size();
    bytes = result.trace->bytes();
  }
  state.counters["events"] = static_cast<double>(events);
  state.counters["MiB"] = static_cast<double>(bytes >> 20);
}

void makesASide(benchmark::State& state) {
  const compile::CatalogueEntry entry = entryOf("matmul_tiled");
  for (auto _ : state) {
    state.PauseTiming();
    lab::RunResult result = runBlock(state.range(0), state.range(1));
    state.ResumeTiming();
    benchmark::DoNotOptimize(
        model::traceKernel(entry, lab::shared(std::move(result)), 1, state.range(0)));
  }
}

/// TILE_WIDTH, k, grain: the slowest of the jumps is what counts.
void jumps(benchmark::State& state) {
  const auto side = sideOf(state.range(0), state.range(1));
  const auto grain = static_cast<trace::StepGranularity>(state.range(2));
  const size_t steps = side->replay->size(grain);
  uint64_t at = 1;
  double worst = 0;
  for (auto _ : state) {
    const auto start = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(model::makeStep(side, grain, splitmix64(++at) % steps));
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    worst = std::max(worst, took.count());
  }
  state.counters["events"] = static_cast<double>(side->replay->recording().size());
  state.counters["worst_ms"] = worst;
}

/// Reads all of a 4096 x 4096 input once, as an overview does.
void readsAnInput(benchmark::State& state) {
  const auto side = sideOf(16, 4096);
  const model::SeededValues values(side->result->plan.operands[0], 0, 1);
  std::vector<float> row(4096);
  for (auto _ : state)
    for (uint64_t i = 0; i < 4096; ++i) values.read(i * 4096, 4096, row.data());
}

BENCHMARK(runsABlock)
    ->Args({4, 4096})
    ->Args({16, 4096})
    ->Args({32, 4096})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(makesASide)
    ->Args({4, 4096})
    ->Args({16, 4096})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(3);
BENCHMARK(jumps)
    ->ArgsProduct({{16}, {4096}, {0, 1, 2}})
    ->ArgsProduct({{32}, {11000}, {0, 1, 2}})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(200);
BENCHMARK(readsAnInput)->Unit(benchmark::kMillisecond);

}  // namespace
