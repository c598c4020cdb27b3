// SPDX-License-Identifier: Apache-2.0
// Memory that a launch takes beyond the module and the kernel's own data: each launch runs in a
// process of its own, whose peak is set back once its data are there (Linux: /proc/self).
#include <benchmark/benchmark.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

#include "support/product.h"

namespace {

using namespace tilestep;
using namespace tilestep::bench;

/// A line of /proc/self/status, in bytes.
double statusOf(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(name + ":", 0) == 0) return 1024 * std::atof(line.c_str() + name.size() + 1);
  }
  return 0;
}

/// In this process: the peak of `work` over what was resident before it.
double growth(const std::function<void()>& work) {
  std::ofstream("/proc/self/clear_refs") << "5";
  const double before = statusOf("VmRSS");
  work();
  return statusOf("VmHWM") - before;
}

/// In a process of its own; negative: it failed.
double inChild(const std::function<double()>& measured) {
  int ends[2];
  if (::pipe(ends) != 0) return -1;
  const pid_t child = ::fork();
  if (child == 0) {
    const double bytes = measured();
    const bool told = ::write(ends[1], &bytes, sizeof bytes) == sizeof bytes;
    ::_exit(told ? 0 : 1);
  }
  ::close(ends[1]);
  double bytes = -1;
  if (::read(ends[0], &bytes, sizeof bytes) != sizeof bytes) bytes = -1;
  ::close(ends[0]);
  if (child > 0) ::waitpid(child, nullptr, 0);
  return bytes;
}

struct What {
  const char* name;
  const char* kernel;
  uint32_t size;
  uint32_t blocks;  ///< Along each side of the grid; 0: as many as the product needs.
  unsigned threads;
  bool counters, check, trace;
};
/// The blocks of a large grid lie outside the matrices but for one, and end at once.
constexpr What kWhats[] = {
    {"plain", kTiled, 1024, 0, 1, false, false, false},
    {"plain, 16 threads", kTiled, 1024, 0, 16, false, false, false},
    {"counters", kTiled, 1024, 0, 1, true, false, false},
    {"256 million threads", kNaive, 16, 1000, 1, true, false, false},
    {"256 million threads, 16 host threads", kNaive, 16, 1000, 16, true, false, false},
    {"256 million threads, checks", kNaive, 16, 1000, 1, false, true, false},
    {"trace of one block", kTiled, 1024, 0, 1, false, false, true},
    {"trace of one block, naive", kNaive, 1024, 0, 1, false, false, true},
    {"checks", kTiled, 1024, 0, 1, false, true, false},
    {"checks, 16 threads", kTiled, 1024, 0, 16, false, true, false},
};

double bytesOf(const What& what) {
  Product product(what.kernel, what.size);
  simt::GridRequest& request = product.request;
  request.threads = what.threads;
  request.counters = what.counters;
  request.check = what.check;
  if (what.trace) request.trace.emplace();
  if (what.blocks != 0) request.launch.grid = {what.blocks, what.blocks, 1};
  return growth([&] { benchmark::DoNotOptimize(simt::runGrid(request, {})); });
}

void memory(benchmark::State& state) {
  const What& what = kWhats[state.range(0)];
  double bytes = 0;
  for (auto _ : state) bytes = inChild([&] { return bytesOf(what); });
  if (bytes < 0) return state.SkipWithError("the process ended early");
  state.SetLabel(std::string(what.kernel) + " " + std::to_string(what.size) + ", " + what.name);
  state.counters["MB"] = bytes / 1e6;
}

}  // namespace

BENCHMARK(memory)
    ->DenseRange(0, std::size(kWhats) - 1)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
