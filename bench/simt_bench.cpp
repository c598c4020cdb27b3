// SPDX-License-Identifier: Apache-2.0
// Thread instructions a second of the interpreter on one core for the matrix product of
// docs/measurements/interpreter.md, by instruction set, with and without counters and checkers,
// beside loops of the same arithmetic that the compiler made.
#include <benchmark/benchmark.h>

#include "simt/engines.h"
#include "support/product.h"

namespace {

using namespace tilestep;
using namespace tilestep::bench;

constexpr uint32_t kSize = 256;

void run(benchmark::State& state, const char* kernel) {
  const auto engines = simt::engines();
  if (static_cast<size_t>(state.range(0)) >= engines.size()) {
    return state.SkipWithError("this CPU has no such instruction set");
  }
  Product product(kernel, kSize);
  const auto instructions = static_cast<double>(product.threadInstructions());
  product.request.engine = engines[static_cast<size_t>(state.range(0))];
  product.request.counters = state.range(1) != 0;
  product.request.check = state.range(2) != 0;
  for (auto _ : state) benchmark::DoNotOptimize(simt::runGrid(product.request, {}));
  state.SetLabel(product.request.engine->name);
  state.counters["thread-instr/s"] =
      benchmark::Counter(instructions, benchmark::Counter::kIsIterationInvariantRate);
}

void tiled(benchmark::State& state) {
  run(state, kTiled);
}
void naive(benchmark::State& state) {
  run(state, kNaive);
}

void native(benchmark::State& state, void (*loop)(const float*, const float*, float*, uint32_t)) {
  if (!nativeRuns()) return state.SkipWithError("this CPU has no AVX2");
  Product product(kTiled, kSize);
  for (auto _ : state) {
    loop(product.m.data(), product.n.data(), product.p.data(), kSize);
    benchmark::ClobberMemory();
  }
}

}  // namespace

BENCHMARK(tiled)
    ->ArgNames({"isa", "counters", "check"})
    ->ArgsProduct({{0, 1, 2}, {0, 1}, {0, 1}})
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(naive)
    ->ArgNames({"isa", "counters", "check"})
    ->ArgsProduct({{0, 1, 2}, {0, 1}, {0, 1}})
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(native, sums, nativeSums)->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(native, rows, nativeRows)->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);
