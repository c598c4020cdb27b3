// SPDX-License-Identifier: Apache-2.0
// What a worker process costs beyond its work: the round trip of small requests, and the time from
// a worker's death to the next answer.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <memory>
#include <string>

#include "base/files.h"
#include "compile/kernel.h"
#include "support/service.h"
#include "worker/client.h"

namespace {

using namespace tilestep;
using Clock = std::chrono::steady_clock;

std::unique_ptr<worker::Client> startLocal() {
  const std::string program = (programPath().parent_path() / "tilestep").string();
  auto client = worker::Client::start({"'" + program + "' worker", 0, {}});
  return client ? std::move(*client) : nullptr;
}

/// A product on the interpreter; with `trace` the answer carries its block's events.
lab::Experiment product(int64_t size, bool trace) {
  lab::Experiment experiment;
  experiment.source =
      compile::findKernel(findHome()->string() + "/kernels", "matmul_tiled").value();
  experiment.sizes = {{"m", size}, {"n", size}, {"k", size}};
  experiment.device = "simt";
  experiment.counters = true;
  if (trace) experiment.traceBlock = Dim3{0, 0, 0};
  return experiment;
}

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Of a run: the whole round trip less what the worker says its work took.
void runBeyondItsWork(benchmark::State& state) {
  const auto client = startLocal();
  const lab::Experiment experiment = product(state.range(0), state.range(1) != 0);
  (void)client->wait(client->run(experiment));
  for (auto _ : state) {
    const auto start = Clock::now();
    const worker::Reply reply = client->wait(client->run(experiment));
    const double whole = secondsSince(start);
    const auto* result = worker::resultOf(reply);
    if (result == nullptr) return state.SkipWithError(std::get<Error>(reply.body).message.c_str());
    state.SetIterationTime(whole - result->wallSeconds);
  }
}
BENCHMARK(runBeyondItsWork)
    ->ArgNames({"size", "trace"})
    ->Args({8, 0})
    ->Args({8, 1})
    ->Args({256, 1})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

/// From SIGKILL to the answer of a run that is asked at once.
void recovery(benchmark::State& state) {
  const auto client = startLocal();
  const lab::Experiment experiment = product(8, false);
  (void)client->wait(client->run(experiment));
  for (auto _ : state) {
    const auto workers = support::childrenOf(::getpid());
    if (workers.size() != 1) return state.SkipWithError("the worker is not found");
    const auto start = Clock::now();
    ::kill(workers.front(), SIGKILL);
    worker::Reply reply = client->wait(client->run(experiment));
    // The request may have met the end of the old one: what was lost is asked again.
    if (reply.lost) reply = client->wait(client->run(experiment));
    state.SetIterationTime(secondsSince(start));
    if (const auto* error = std::get_if<Error>(&reply.body)) {
      return state.SkipWithError(error->message.c_str());
    }
  }
}
BENCHMARK(recovery)
    ->UseManualTime()
    ->Iterations(5)
    ->Repetitions(20)
    ->ReportAggregatesOnly()
    ->ComputeStatistics("max",
                        [](const std::vector<double>& v) {
                          return *std::max_element(v.begin(), v.end());
                        })
    ->Unit(benchmark::kMillisecond);

}  // namespace
