// SPDX-License-Identifier: Apache-2.0
// What live mode costs a kernel: it is measured alone and then launched again and again for three
// seconds. `share` is the launches per second times the time of one alone; 1 means that live mode
// costs nothing.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/files.h"
#include "compile/kernel.h"
#include "worker/client.h"

namespace {

using namespace tilestep;
using Clock = std::chrono::steady_clock;

constexpr double kSeconds = 3;

struct Streamed {
  uint64_t launches = 0;   ///< After the first batch.
  double seconds = 0;      ///< From the first batch to the last, by the host's clock.
  std::vector<double> ms;  ///< Of the launches that were timed.
  uint32_t batches = 0, every = 0;
};

std::unique_ptr<worker::Client> startWorker() {
  const std::string program = (programPath().parent_path() / "tilestep").string();
  auto client = worker::Client::start({"'" + program + "' worker", 0, {}});
  return client ? std::move(*client) : nullptr;
}

Streamed stream(worker::Client& client, const lab::Experiment& experiment) {
  Streamed streamed;
  const uint64_t id = client.live(experiment);
  Clock::time_point first, last;
  const auto seconds = [&] { return std::chrono::duration<double>(last - first).count(); };
  // A batch comes every 50 ms: where none comes for so long, there is no GPU.
  for (auto waited = Clock::now(); seconds() < kSeconds;) {
    if (const auto batch = client.samples(id)) {
      last = waited = Clock::now();
      if (streamed.batches++ == 0)
        first = last;
      else
        streamed.launches += batch->launches;
      streamed.every = batch->every;
      streamed.ms.insert(streamed.ms.end(), batch->ms.begin(), batch->ms.end());
    } else if (Clock::now() - waited > std::chrono::seconds(20)) {
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  streamed.seconds = seconds();
  client.cancel(id);
  (void)client.wait(id);
  return streamed;
}

void live(benchmark::State& state, const std::string& kernel) {
  static const std::unique_ptr<worker::Client> client = startWorker();
  if (!client) return state.SkipWithError("the worker does not start");
  const auto source = compile::findKernel(findHome()->string() + "/kernels", kernel);
  const auto spec = compile::parseKernel(*source);
  lab::Experiment experiment;
  experiment.source = *source;
  for (const auto& size : spec->sizes) experiment.sizes[size.first] = state.range(0);
  experiment.device = "cuda:0";
  experiment.measure = true;
  for (auto _ : state) {
    const worker::Reply reply = client->wait(client->run(experiment));
    const auto* alone = worker::resultOf(reply);
    if (alone == nullptr) return state.SkipWithError(std::get<Error>(reply.body).message.c_str());
    if (!alone->measurement) return state.SkipWithError("the device measures nothing");
    Streamed live = stream(*client, experiment);
    if (live.ms.empty() || live.seconds <= 0) return state.SkipWithError("no samples came");
    const double perSecond = static_cast<double>(live.launches) / live.seconds;
    std::ranges::nth_element(live.ms, live.ms.begin() + static_cast<long>(live.ms.size() / 2));
    state.counters["alone_ms"] = alone->measurement->medianMs;
    state.counters["launches_per_second"] = perSecond;
    state.counters["share"] = perSecond * alone->measurement->medianMs / 1e3;
    state.counters["timed_one_of"] = live.every;
    state.counters["timed_ms"] = live.ms[live.ms.size() / 2];
    state.counters["batch_every_ms"] = 1e3 * live.seconds / std::max(1U, live.batches - 1);
    state.SetLabel(alone->device.name);
  }
}
BENCHMARK_CAPTURE(live, naive, "matmul_naive")->Arg(4096)->Arg(1024)->Iterations(1)->UseRealTime();
BENCHMARK_CAPTURE(live, tiled, "matmul_tiled")
    ->Arg(4096)
    ->Arg(1024)
    ->Arg(256)
    ->Iterations(1)
    ->UseRealTime();
BENCHMARK_CAPTURE(live, transpose, "transpose")->Arg(1024)->Iterations(1)->UseRealTime();

}  // namespace
