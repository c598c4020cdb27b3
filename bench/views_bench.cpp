// SPDX-License-Identifier: Apache-2.0
// What the views of a traced block cost to make: once for each trace, and at each step.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "compile/kernel.h"
#include "features/cube/cube_step.h"
#include "features/exercises/element_story.h"
#include "features/footprint/footprint.h"
#include "features/footprint/map_shape.h"
#include "features/sums/picture.h"
#include "lab/lab.h"
#include "model/scene/traced_kernel.h"
#include "support/source_root.h"

namespace {

using namespace tilestep;
using Traced = std::shared_ptr<const model::TracedKernel>;

Traced traced(const std::string& kernel, const compile::Bindings& sizes,
              const compile::Bindings& tunables, int64_t phaseLength) {
  static lab::Lab lab({support::sourceRoot(), "", 0});
  compile::CatalogueEntry entry;
  entry.source = *compile::findKernel(support::sourceRoot() + "/kernels", kernel);
  entry.spec = *compile::parseKernel(entry.source);
  lab::Experiment experiment;
  experiment.source = entry.source;
  experiment.sizes = sizes;
  experiment.tunables = tunables;
  experiment.device = "simt";
  experiment.measure = false;
  experiment.counters = true;
  experiment.traceBlock = Dim3{0, 0, 0};
  experiment.traceBytes = uint64_t{48} << 20;
  auto result = lab.run(experiment, [] { return false; }, {});
  if (!result) {
    std::fprintf(stderr, "%s\n", toString(result.error()).c_str());
    std::exit(1);
  }
  return model::traceKernel(entry, lab::shared(std::move(*result)), 1, phaseLength);
}

/// A block that computes `size` by `size` elements of a product with k terms each.
Traced product(int64_t size, int64_t k) {
  const compile::Bindings sizes{{"m", size}, {"n", size}, {"k", k}};
  if (size <= 32) return traced("matmul_tiled", sizes, {{"TILE_WIDTH", size}}, size);
  return traced("rung06_patch_a_thread", sizes,
                {{"TILE_M", size}, {"TILE_N", size}, {"TILE_K", 8}, {"ROWS", 4}, {"COLS", 4}}, 8);
}

void makesACube(benchmark::State& state) {
  const Traced kernel = product(state.range(0), state.range(1));
  const features::CubeTrace cube = features::cubeTraceOf(*kernel);
  if (!cube.trouble.empty()) return state.SkipWithError(cube.trouble.c_str());
  for (auto _ : state) benchmark::DoNotOptimize(features::cubeTraceOf(*kernel));
  state.counters["points"] = static_cast<double>(cube.points.size());
}
void stepsACube(benchmark::State& state) {
  const Traced kernel = product(state.range(0), state.range(1));
  const features::CubeTrace cube = features::cubeTraceOf(*kernel);
  const size_t last = kernel->replay->size(trace::StepGranularity::phase) - 1;
  const auto step = model::makeStep(kernel, trace::StepGranularity::phase, last);
  for (auto _ : state) benchmark::DoNotOptimize(features::cubeStepOf(cube, *step));
}

/// A block that adds up so many elements.
Traced reduction(const benchmark::State& state) {
  return traced("reduce_neighbored", {{"n", state.range(0)}}, {{"BLOCK", state.range(0)}}, 0);
}
void makesSums(benchmark::State& state) {
  const Traced kernel = reduction(state);
  for (auto _ : state) {
    const features::SumTree tree = features::sumTreeOf(*kernel);
    benchmark::DoNotOptimize(features::sumPictureOf(tree));
  }
}

void makesAFootprint(benchmark::State& state) {
  const Traced kernel = product(state.range(0), state.range(1));
  for (auto _ : state) {
    const features::Footprint footprint = features::footprintOf(*kernel);
    for (const features::OperandFootprint& operand : footprint.operands)
      benchmark::DoNotOptimize(features::mapOf(operand));
  }
}
void stepsAFootprint(benchmark::State& state) {
  const Traced kernel = product(state.range(0), state.range(1));
  const features::Footprint footprint = features::footprintOf(*kernel);
  for (auto _ : state) {
    benchmark::DoNotOptimize(footprint.countsOf(footprint.requests.size()));
    benchmark::DoNotOptimize(features::pictureOf(*kernel, footprint.requests.back()));
  }
}

void tellsAStory(benchmark::State& state) {
  const Traced kernel = product(state.range(0), state.range(1));
  const auto cells = features::outputCellsOf(*kernel);
  if (!cells) return state.SkipWithError("no cells");
  for (auto _ : state) benchmark::DoNotOptimize(features::storyOf(*kernel, cells->expected, 5));
}
void makesCells(benchmark::State& state) {
  const Traced kernel = product(state.range(0), state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(features::outputCellsOf(*kernel));
}

constexpr auto kUnit = benchmark::kMillisecond;
BENCHMARK(makesACube)->Args({16, 16})->Args({32, 32})->Args({64, 64})->Args({64, 256})->Unit(kUnit);
BENCHMARK(stepsACube)->Args({16, 16})->Args({32, 32})->Args({64, 64})->Args({64, 256})->Unit(kUnit);
BENCHMARK(makesSums)->Arg(64)->Arg(512)->Arg(1024)->Unit(kUnit);
BENCHMARK(makesAFootprint)->Args({16, 16})->Args({32, 32})->Args({64, 64})->Unit(kUnit);
BENCHMARK(stepsAFootprint)->Args({16, 16})->Args({32, 32})->Args({64, 64})->Unit(kUnit);
BENCHMARK(makesCells)->Args({16, 16})->Args({32, 32})->Unit(kUnit);
BENCHMARK(tellsAStory)->Args({4, 4})->Args({16, 16})->Args({32, 32})->Unit(kUnit);

}  // namespace
