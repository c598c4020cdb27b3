// SPDX-License-Identifier: Apache-2.0
// From a slider's move to its new point: a run asked of a worker process, until its measurement is
// back, with a tile width that no cache has seen and with one that was there before. The time is
// the whole way: compile, load, launch, measure, answer.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/files.h"
#include "compile/kernel.h"
#include "worker/client.h"

namespace {

namespace fs = std::filesystem;
using namespace tilestep;

/// A worker with empty caches: Tilestep's own and the driver's, which is off where `cold`.
std::unique_ptr<worker::Client> start(bool cold) {
  std::string folder = (fs::temp_directory_path() / "tilestep-bench-XXXXXX").string();
  ::setenv("XDG_CACHE_HOME", ::mkdtemp(folder.data()), 1);
  ::setenv("CUDA_CACHE_PATH", folder.c_str(), 1);
  ::setenv("CUDA_CACHE_DISABLE", cold ? "1" : "0", 1);
  const std::string program = (programPath().parent_path() / "tilestep").string();
  auto client = worker::Client::start({"'" + program + "' worker", 0});
  return client ? std::move(*client) : nullptr;
}

lab::Experiment experimentOf(int64_t tileWidth, int64_t size) {
  lab::Experiment experiment;
  auto source = compile::findKernel(findHome()->string() + "/kernels", "matmul_tiled");
  experiment.source = *source;
  experiment.tunables["TILE_WIDTH"] = tileWidth;
  experiment.sizes = {{"m", size}, {"n", size}, {"k", size}};
  return experiment;
}

void sliderToPoint(benchmark::State& state) {
  static const std::unique_ptr<worker::Client> client = start(true);
  static int64_t tileWidth = 32;
  if (!client) return state.SkipWithError("the worker does not start");
  const int64_t size = state.range(0);
  // The first answer opens the device; a window has done that long before a slider moves.
  (void)client->wait(client->run(experimentOf(1, 32)));
  for (auto _ : state) {
    const worker::Reply reply = client->wait(client->run(experimentOf(tileWidth--, size)));
    const auto* result = worker::resultOf(reply);
    if (result == nullptr) state.SkipWithError(std::get<Error>(reply.body).message.c_str());
    if (result != nullptr) state.SetLabel(result->device.name);
  }
}
BENCHMARK(sliderToPoint)
    ->Arg(1024)
    ->Iterations(1)
    ->Repetitions(24)
    ->ReportAggregatesOnly()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

// Back to a width that was there a moment ago.
void sliderBack(benchmark::State& state) {
  static const std::unique_ptr<worker::Client> client = start(false);
  static int64_t tileWidth = 32;
  if (!client) return state.SkipWithError("the worker does not start");
  const lab::Experiment experiment = experimentOf(tileWidth--, state.range(0));
  (void)client->wait(client->run(experiment));
  for (auto _ : state) {
    const worker::Reply reply = client->wait(client->run(experiment));
    const auto* result = worker::resultOf(reply);
    if (result == nullptr) state.SkipWithError(std::get<Error>(reply.body).message.c_str());
    if (result != nullptr) state.SetLabel(result->device.name);
  }
}
BENCHMARK(sliderBack)
    ->Arg(1024)
    ->Iterations(1)
    ->Repetitions(24)
    ->ReportAggregatesOnly()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
