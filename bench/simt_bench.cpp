// SPDX-License-Identifier: Apache-2.0
// Thread-instructions a second of the interpreter on one core, by instruction set, with and without
// counters and checkers. The program is compute_75 PTX of kernels/matmul_tiled.cu and matmul_naive.cu.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "base/files.h"
#include "ptx/parser.h"
#include "simt/engines.h"
#include "simt/grid.h"

namespace {

using namespace tilestep;

constexpr uint32_t kSize = 256;
constexpr uint32_t kTile = 16;

struct Product {
  ptx::Module module;
  std::vector<float> m, n, p;
  simt::GridRequest request;

  Product(const std::string& file, const std::string& entry) {
    const auto text = readTextFile(std::string(TILESTEP_SOURCE_DIR "/bench/data/") + file);
    module = ptx::parse(text.value(), file).value();
    m.assign(size_t{kSize} * kSize, 0.5F);
    n = p = m;
    request.module = &module;
    request.launch = {entry, {kSize / kTile, kSize / kTile, 1}, {kTile, kTile, 1}, 0};
    for (auto* matrix : {&m, &n, &p}) {
      request.parameters.push_back(simt::addressOf(request.buffers.size()));
      request.buffers.push_back({"", "", reinterpret_cast<uint8_t*>(matrix->data()),
                                 matrix->size() * sizeof(float), nullptr, true});
    }
    for (int i = 0; i < 3; ++i) request.parameters.push_back(kSize);
  }
};

uint64_t threadInstructions(Product& product) {
  product.request.counters = true;
  return simt::runGrid(product.request, {}).value().counters->total.threadInstructions;
}

void run(benchmark::State& state, const std::string& file, const std::string& entry) {
  const auto engines = simt::engines();
  if (static_cast<size_t>(state.range(0)) >= engines.size()) {
    return state.SkipWithError("this CPU has no such instruction set");
  }
  Product product(file, entry);
  const auto instructions = static_cast<double>(threadInstructions(product));
  product.request.engine = engines[static_cast<size_t>(state.range(0))];
  product.request.counters = state.range(1) != 0;
  product.request.check = state.range(2) != 0;
  for (auto _ : state) benchmark::DoNotOptimize(simt::runGrid(product.request, {}));
  state.SetLabel(product.request.engine->name);
  state.counters["thread-instr/s"] =
      benchmark::Counter(instructions, benchmark::Counter::kIsIterationInvariantRate);
}

void tiled(benchmark::State& state) {
  run(state, "matmul_tiled_16.ptx", "matmul_tiled");
}
void naive(benchmark::State& state) {
  run(state, "matmul_naive.ptx", "matmul_naive");
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
