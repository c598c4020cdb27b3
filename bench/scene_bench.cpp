// SPDX-License-Identifier: Apache-2.0
// What the window's own thread does for the scene of a product, by tile width: layers once a step,
// labels each frame.
#include <benchmark/benchmark.h>

#include <memory>

#include "gfx/layers.h"
#include "unit/gfx/sample_scene.h"

namespace tilestep::gfx {
namespace {

constexpr float kWidth = 560, kHeight = 640, kText = 14;

/// The step in which each thread takes up a row of Mds and a column of Nds.
std::shared_ptr<const SceneModel> computing(uint32_t tile) {
  constexpr size_t kMostLinks = 4096;  // As many as the window shows.
  auto model = std::make_shared<SceneModel>(productScene(2 * tile, 2 * tile, 2 * tile, tile));
  for (SlotArray& array : model->arrays)
    for (size_t i = 0; i < array.slots.size(); ++i)
      array.slots[i] = {.value = 0.5F, .written = true, .warp = int(i / 32), .origin = "M[12,5]"};
  for (uint32_t row = 0; row < tile; ++row)
    for (uint32_t column = 0; column < tile; ++column)
      for (uint32_t k = 0; k < tile && model->links.size() < kMostLinks; ++k) {
        const Place thread{Place::In::threads, 0, row, column};
        const int warp = int((row * tile + column) / 32);
        model->links.push_back({{Place::In::array, 0, row, k}, thread, warp});
        model->links.push_back({{Place::In::array, 1, k, column}, thread, warp});
      }
  model->panels[0].highlights = {{{0, 0, tile, tile}, Mark::now}};
  return model;
}

void layersOfAStep(benchmark::State& state) {
  const auto model = computing(uint32_t(state.range(0)));
  for (auto _ : state) {
    const Layout layout = arrange(*model, {kWidth, kHeight, kText});
    benchmark::DoNotOptimize(buildLayers(model, layout, darkPalette()));
  }
}
BENCHMARK(layersOfAStep)->RangeMultiplier(2)->Range(4, 32)->Unit(benchmark::kMicrosecond);

void labelsOfAFrame(benchmark::State& state) {
  const auto model = computing(uint32_t(state.range(0)));
  const Layers layers =
      buildLayers(model, arrange(*model, {kWidth, kHeight, kText}), darkPalette());
  for (auto _ : state) benchmark::DoNotOptimize(labelsOf(layers, Camera(), kWidth, kHeight));
}
BENCHMARK(labelsOfAFrame)->RangeMultiplier(2)->Range(4, 32)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace tilestep::gfx
