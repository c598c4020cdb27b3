// SPDX-License-Identifier: Apache-2.0
// From PTX text to a program that runs, for every kernel of kernels/ and tests/corpus/: parsing and
// decoding, each by itself. An iteration takes all kernels once; `mean` and `slowest` are of one.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <map>

#include "ptx/text/parser.h"
#include "simt/setup.h"
#include "support/kernels.h"

namespace {

using namespace tilestep;
using namespace tilestep::bench;

const std::vector<Kernel>& kernels() {
  static const std::vector<Kernel> all = allKernels();
  return all;
}

/// `work(i)` is timed for each kernel; the best time of each counts.
template <class Work>
void ofAll(benchmark::State& state, Work work) {
  std::vector<double> best(kernels().size(), 1e9);
  for (auto _ : state) {
    double all = 0;
    for (size_t i = 0; i < best.size(); ++i) {
      const double start = processorSeconds();
      work(i);
      const double seconds = processorSeconds() - start;
      best[i] = std::min(best[i], seconds);
      all += seconds;
    }
    state.SetIterationTime(all);
  }
  const auto slowest = std::max_element(best.begin(), best.end());
  double sum = 0;
  for (const double seconds : best) sum += seconds;
  state.counters["kernels"] = static_cast<double>(best.size());
  state.counters["mean ms"] = 1e3 * sum / static_cast<double>(best.size());
  state.counters["slowest ms"] = 1e3 * *slowest;
  state.SetLabel(kernels()[static_cast<size_t>(slowest - best.begin())].name);
}

void parse(benchmark::State& state) {
  ofAll(state, [](size_t i) {
    benchmark::DoNotOptimize(ptx::parse(kernels()[i].compiled->ptx, "bench.ptx"));
  });
}

void decode(benchmark::State& state) {
  std::vector<std::unique_ptr<Runnable>> runnables;
  for (const Kernel& kernel : kernels()) {
    auto made = Runnable::make(kernel, kernel.sizes);
    runnables.push_back(made ? std::move(*made) : nullptr);
  }
  const Mode mode = state.range(0) != 0 ? Mode::check : Mode::plain;
  ofAll(state, [&](size_t i) {
    if (runnables[i]) runnables[i]->decode(mode);
  });
}

}  // namespace

BENCHMARK(parse)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(decode)->ArgName("check")->Arg(0)->Arg(1)->UseManualTime()->Unit(benchmark::kMillisecond);
