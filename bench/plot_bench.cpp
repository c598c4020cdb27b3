// SPDX-License-Identifier: Apache-2.0
// What a frame's thread does for many points in one plot of 1280 x 800 pixels: decimating them and
// making the draw list, zoomed to all of them. Rasterising is not in it.
#include <benchmark/benchmark.h>

#include <cmath>

#include "ui/kit/plot_series.h"

namespace tilestep::ui {
namespace {

/// ImGui without a window; `draw` gets the plot of each frame.
template <class Draw>
void frames(benchmark::State& state, bool logarithmic, Draw draw) {
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  compat::drawWithoutBackend();
  compat::buildFonts(*io.Fonts);
  io.DisplaySize = {1280, 800};
  const auto points = static_cast<size_t>(state.range(0));
  for (auto _ : state) {
    ImGui::NewFrame();
    ImGui::Begin("plot");
    Plot plot(*ImGui::GetWindowDrawList(), {0, 0}, {1280, 800},
              {false, 0, static_cast<double>(points), ""}, {logarithmic, 0.5, 10, ""}, {});
    draw(plot, points);
    ImGui::End();
    ImGui::Render();
    benchmark::DoNotOptimize(ImGui::GetDrawData()->TotalVtxCount);
  }
  state.counters["vertices"] = ImGui::GetDrawData()->TotalVtxCount;
  ImGui::DestroyContext();
}

/// Times of launches: a band with noise, and a spike now and then.
double valueAt(size_t i) {
  const double noise = static_cast<double>(i * 2654435761U % 1000) / 1000;
  return (i % 1777 == 0 ? 8.0 : 4.0) + noise + std::sin(static_cast<double>(i) * 1e-3);
}

std::vector<double> valuesOf(size_t points) {
  std::vector<double> values(points);
  for (size_t i = 0; i < points; ++i) values[i] = valueAt(i);
  return values;
}

void line(benchmark::State& state) {
  const std::vector<double> values = valuesOf(static_cast<size_t>(state.range(0)));
  frames(state, state.range(1) != 0, [&](Plot& plot, size_t points) {
    PlotLine curve(plot);
    for (size_t i = 0; i < points; ++i) curve.add(static_cast<double>(i), values[i]);
    curve.draw(plot, 0xffffffffU, 1.5F);
  });
}
BENCHMARK(line)->ArgsProduct({{1'000, 10'000, 100'000}, {0, 1}})->Unit(benchmark::kMicrosecond);

void dots(benchmark::State& state) {
  const std::vector<double> values = valuesOf(static_cast<size_t>(state.range(0)));
  frames(state, state.range(1) != 0, [&](Plot& plot, size_t points) {
    PlotDots cells(plot, 3);
    for (size_t i = 0; i < points; ++i) cells.add(static_cast<double>(i), values[i]);
    cells.draw(plot, 0xffffffffU);
  });
}
BENCHMARK(dots)->ArgsProduct({{1'000, 10'000, 100'000}, {0, 1}})->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace tilestep::ui
