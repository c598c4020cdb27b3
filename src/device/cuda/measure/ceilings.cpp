// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <chrono>
#include <functional>

#include "base/files.h"
#include "base/utc.h"
#include "device/cuda/driver/context.h"
#include "device/cuda/execution.h"
#include "device/cuda/measure/ceilings_cache.h"

namespace tilestep::cuda {
namespace {

constexpr uint32_t kThreads = 256;  // kernels/probes/ceilings.cu
constexpr int kRuns = 9;
constexpr int kLaunches = 500, kLaunchRuns = 25;
constexpr uint64_t kMemoryBytes = uint64_t{1} << 31;
constexpr uint64_t kChainBytes = uint64_t{1} << 28;
constexpr uint32_t kL1Bytes = 16384;  // the same for every block; fits every L1 since Volta

/// Runs the ceilings' kernels on one GPU. Each kernel is warmed up and then timed a few times; the
/// fastest run counts, because a ceiling is the machine's maximum.
class CeilingBench {
 public:
  static Result<CeilingBench> open(const ContextPtr& context, const device::DeviceInfo& info,
                                   const std::string& ptx, const device::Cancelled& never) {
    CeilingBench bench;
    bench.context_ = context;
    bench.info_ = &info;
    Result<LoadedModule> module = loadModule(context, ptx);
    if (!module) return module.error();
    bench.module_ = std::move(*module);
    bench.bytes_ = std::min(kMemoryBytes, info.limits.memoryBytes / 4);
    Result<Memory> data = allocate(context, bench.bytes_, "the data that ceilings are read from");
    if (!data) return data.error();
    bench.data_ = std::move(*data);
    Result<Memory> sink = allocate(context, 4, "a result");
    if (!sink) return sink.error();
    bench.sink_ = std::move(*sink);
    Result<Execution> execution = Execution::start(context, 30, never, "measuring the ceilings");
    if (!execution) return execution.error();
    bench.execution_.emplace(std::move(*execution));
    if (Status s = bench.fill(); !s) return s.error();
    return bench;
  }

  /// Bytes per second when reading `bytes` repeatedly, bypassing L1.
  Result<double> read(uint64_t bytes, uint32_t passes, uint64_t from = 0) {
    const uint32_t blocks = info_->multiprocessors * 8;
    // The kernel reads whole rounds of four loads per thread.
    const uint64_t round = uint64_t{blocks} * kThreads * 4;
    uint64_t vectors = std::max(bytes / 16 / round, uint64_t{1}) * round;
    DevicePointer data = data_.get() + from, sink = sink_.get();
    void* parameters[] = {&data, &vectors, &passes, &sink};
    const Result<double> seconds = bestSeconds("ceiling_read", blocks, parameters);
    if (!seconds) return seconds.error();
    return static_cast<double>(vectors) * 16 * passes / *seconds;
  }

  Result<double> l1() {
    const uint32_t blocks = info_->multiprocessors * 8;
    uint32_t vectors = kL1Bytes / 16, passes = 1000;
    DevicePointer data = data_.get(), sink = sink_.get();
    void* parameters[] = {&data, &vectors, &passes, &sink};
    const Result<double> seconds = bestSeconds("ceiling_l1", blocks, parameters);
    if (!seconds) return seconds.error();
    return static_cast<double>(blocks) * kL1Bytes * passes / *seconds;
  }

  Result<double> shared() {
    const uint32_t blocks = info_->multiprocessors * 8;
    uint32_t passes = 1000;
    DevicePointer data = data_.get(), sink = sink_.get();
    void* parameters[] = {&data, &passes, &sink};
    const Result<double> seconds = bestSeconds("ceiling_shared", blocks, parameters);
    if (!seconds) return seconds.error();
    return static_cast<double>(blocks) * kThreads * 64 * passes / *seconds;
  }

  Result<double> fma() {
    const uint32_t blocks = info_->multiprocessors * 8;
    uint32_t passes = 1000;
    float factor = 0.75F;
    DevicePointer sink = sink_.get();
    void* parameters[] = {&passes, &factor, &sink};
    const Result<double> seconds = bestSeconds("ceiling_fma", blocks, parameters);
    if (!seconds) return seconds.error();
    return static_cast<double>(blocks) * kThreads * passes * (16 * 8 * 2) / *seconds;
  }

  /// Bytes per second, read and written, when copying one half of the data to the other.
  Result<double> copy() {
    const uint32_t blocks = info_->multiprocessors * 8;
    uint64_t vectors = bytes_ / 32;
    DevicePointer from = data_.get(), to = data_.get() + vectors * 16;
    void* parameters[] = {&from, &to, &vectors};
    const Result<double> seconds = bestSeconds("ceiling_copy", blocks, parameters);
    if (!seconds) return seconds.error();
    return static_cast<double>(vectors) * 32 / *seconds;
  }

  /// Host-clock seconds per launch for `launches` empty kernels and a final wait; the best run.
  Result<double> launchSeconds(int launches) {
    const Result<FunctionHandle> function = findFunction(*context_, module_, "ceiling_empty");
    if (!function) return function.error();
    double best = 0;
    for (int run = 0; run < kLaunchRuns; ++run) {
      const auto begun = std::chrono::steady_clock::now();
      for (int i = 0; i < launches; ++i) {
        if (Status s = launch(*function, 1, 32, nullptr, "ceiling_empty"); !s) return s.error();
      }
      if (Status s = context_->check(context_->api().streamSynchronize(execution_->stream()),
                                     "Waiting for ceiling_empty");
          !s) {
        return s.error();
      }
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
      if (run == 0 || took.count() < best) best = took.count();
    }
    return best / launches;
  }

  /// Seconds per link of a pointer chain through `bytes` bytes, with a link every `spacing` bytes.
  /// Each run follows `steps` links; few steps keep runs from revisiting links.
  Result<double> memoryLatency(uint64_t bytes, uint64_t spacing, uint32_t steps) {
    uint64_t count = std::bit_floor(std::min(bytes, bytes_ / 2) / spacing), words = spacing / 8;
    DevicePointer data = data_.get();
    void* linked[] = {&data, &count, &words};
    const Result<double> made = bestSeconds("latency_links", info_->multiprocessors * 8, linked);
    if (!made) return made.error();
    // Data just written is still in L2. Reading the other half of the data evicts it.
    const Result<double> replaced = read(bytes_ / 2, 1, bytes_ / 2);
    if (!replaced) return replaced.error();
    Result<Memory> place = allocate(context_, 8, "the chain's position");
    if (!place) return place.error();
    DevicePointer at = place->get();
    if (Status s = context_->check(context_->api().memcpyHtoD(at, &data, 8), "Writing a link"); !s)
      return s.error();
    void* parameters[] = {&at, &steps};
    const Result<double> seconds = bestSeconds("latency_memory", 1, parameters);
    if (!seconds) return seconds.error();
    return *seconds / steps;
  }

  Result<double> sharedLatency() {
    uint32_t steps = 1 << 16;
    DevicePointer sink = sink_.get();
    void* parameters[] = {&steps, &sink};
    return perStep(bestSeconds("latency_shared", 1, parameters), steps);
  }
  Result<double> instruction() {
    uint32_t steps = 1 << 19;
    float factor = 0.75F;
    DevicePointer sink = sink_.get();
    void* parameters[] = {&steps, &factor, &sink};
    return perStep(bestSeconds("latency_fma", 1, parameters), steps);
  }
  Result<double> barrier() {
    uint32_t steps = 1 << 16;
    void* parameters[] = {&steps};
    return perStep(bestSeconds("latency_barrier", 1, parameters), steps);
  }

  /// Seconds per block of an empty kernel, excluding the start of the kernel.
  Result<double> blockStart() {
    constexpr uint32_t kFew = 1 << 18, kMany = 1 << 19;
    const Result<double> few = bestSeconds("ceiling_empty", kFew, nullptr);
    if (!few) return few.error();
    const Result<double> many = bestSeconds("ceiling_empty", kMany, nullptr);
    if (!many) return many.error();
    return (*many - *few) / (kMany - kFew);
  }

  /// Device-clock seconds per kernel for many empty kernels replayed as a graph, as measurements of
  /// short kernels do (measure.h). Nothing if the driver has no graphs.
  Result<std::optional<double>> kernelStart() {
    const Api& api = context_->api();
    if (api.graphInstantiate == nullptr) return std::optional<double>();
    const Result<FunctionHandle> empty = findFunction(*context_, module_, "ceiling_empty");
    if (!empty) return empty.error();
    const StreamHandle stream = execution_->stream();
    if (Status s = context_->check(api.streamBeginCapture(stream, kCaptureThreadLocal),
                                   "Capturing empty kernels");
        !s) {
      return s.error();
    }
    Status launched;
    for (int i = 0; i < kLaunches && launched; ++i)
      launched = launch(*empty, 1, 32, nullptr, "ceiling_empty");
    GraphHandle handle = nullptr;
    const ApiResult ended = api.streamEndCapture(stream, &handle);
    const Graph graph(context_, handle);
    if (!launched) return launched.error();
    GraphExecHandle exec = nullptr;
    if (ended != kSuccess || api.graphInstantiate(&exec, handle, 0) != kSuccess)
      return std::optional<double>();
    const GraphExec replayed(context_, exec);
    const Result<double> seconds = bestOf([&] {
      return context_->check(api.graphLaunch(replayed.get(), stream), "Launching empty kernels");
    });
    if (!seconds) return seconds.error();
    return std::optional(*seconds / kLaunches);
  }

  [[nodiscard]] uint64_t bytes() const { return bytes_; }

 private:
  CeilingBench() = default;

  Status fill() {
    uint64_t words = bytes_ / 4;
    DevicePointer data = data_.get();
    void* parameters[] = {&data, &words};
    const Result<double> seconds =
        bestSeconds("ceiling_fill", info_->multiprocessors * 8, parameters);
    return seconds ? Status() : Status(seconds.error());
  }

  static Result<double> perStep(const Result<double>& seconds, uint32_t steps) {
    if (!seconds) return seconds.error();
    return *seconds / steps;
  }

  Status launch(FunctionHandle function, uint32_t blocks, uint32_t threads, void** parameters,
                const std::string& name) {
    return context_->check(context_->api().launchKernel(function, blocks, 1, 1, threads, 1, 1, 0,
                                                        execution_->stream(), parameters, nullptr),
                           "Launching " + name);
  }

  Result<double> bestSeconds(const std::string& name, uint32_t blocks, void** parameters) {
    const Result<FunctionHandle> function = findFunction(*context_, module_, name);
    if (!function) return function.error();
    return bestOf([&] { return launch(*function, blocks, kThreads, parameters, name); });
  }

  /// Seconds between two events around the work that `work` enqueues; the best of a few runs.
  Result<double> bestOf(const std::function<Status()>& work) {
    const Api& api = context_->api();
    const Result<Event> start = makeEvent(context_), stop = makeEvent(context_);
    if (!start) return start.error();
    if (!stop) return stop.error();
    const StreamHandle stream = execution_->stream();
    float best = 0;
    for (int run = 0; run < kRuns; ++run) {
      if (Status s = execution_->note(api.eventRecord(start->get(), stream), "cuEventRecord"); !s) {
        return s.error();
      }
      if (Status s = work(); !s) return s.error();
      if (Status s = execution_->note(api.eventRecord(stop->get(), stream), "cuEventRecord"); !s) {
        return s.error();
      }
      if (Status s = execution_->finish(); !s) return s.error();
      float ms = 0;
      if (Status s = context_->check(api.eventElapsedTime(&ms, start->get(), stop->get()),
                                     "Reading the GPU's clock");
          !s) {
        return s.error();
      }
      if (run == 0 || ms < best) best = ms;
    }
    return static_cast<double>(best) * 1e-3;
  }

  ContextPtr context_;
  const device::DeviceInfo* info_ = nullptr;
  LoadedModule module_;
  uint64_t bytes_ = 0;
  Memory data_, sink_;
  std::optional<Execution> execution_;
};

Result<device::Ceilings> measureCeilings(const ContextPtr& context, const device::DeviceInfo& info,
                                         const std::string& ptx) {
  const device::Cancelled never;
  Result<CeilingBench> bench = CeilingBench::open(context, info, ptx, never);
  if (!bench) return bench.error();
  // A quarter of the L2 cache, because larger data would be replicated in both of its halves.
  const uint64_t l2Bytes = std::max(info.l2Bytes / 4, uint64_t{1} << 20);
  device::Ceilings ceilings;
  ceilings.device = info.name;
  ceilings.origin = "measured " + utcToday();
  ceilings.measured = true;
  std::optional<Error> failed;
  const auto keep = [&failed](std::optional<double>& ceiling, const Result<double>& measured) {
    if (measured)
      ceiling = *measured;
    else if (!failed)
      failed = measured.error();
  };
  keep(ceilings.fp32FlopPerSecond, bench->fma());
  keep(ceilings.dramBytesPerSecond, bench->read(bench->bytes(), 1));
  keep(ceilings.l2BytesPerSecond, bench->read(l2Bytes, 40));
  keep(ceilings.l1BytesPerSecond, bench->l1());
  keep(ceilings.sharedBytesPerSecond, bench->shared());
  keep(ceilings.dramCopyBytesPerSecond, bench->copy());
  keep(ceilings.launchSeconds, bench->launchSeconds(kLaunches));
  keep(ceilings.launchAndWaitSeconds, bench->launchSeconds(1));
  // DRAM links are so far apart that no two share a cache line. L2 links are revisited, and are too
  // many for L1.
  keep(ceilings.dramLatencySeconds,
       bench->memoryLatency(std::max<uint64_t>(uint64_t{4} * info.l2Bytes, kChainBytes), 4096,
                            2048));
  keep(ceilings.l2LatencySeconds, bench->memoryLatency(l2Bytes, 128, 1 << 15));
  keep(ceilings.l1LatencySeconds, bench->memoryLatency(kL1Bytes / 2, 128, 1 << 16));
  keep(ceilings.sharedLatencySeconds, bench->sharedLatency());
  keep(ceilings.instructionSeconds, bench->instruction());
  keep(ceilings.barrierSeconds, bench->barrier());
  keep(ceilings.blockStartSeconds, bench->blockStart());
  const Result<std::optional<double>> start = bench->kernelStart();
  if (start)
    ceilings.kernelStartSeconds = *start;
  else
    keep(ceilings.kernelStartSeconds, start.error());
  if (failed) return *failed;
  return ceilings;
}

}  // namespace
}  // namespace tilestep::cuda

namespace tilestep::device {

Result<Ceilings> cudaCeilings(unsigned ordinal, const std::string& probePtx,
                              const std::string& cacheFolder) {
  Result<std::shared_ptr<const cuda::Driver>> driver = cuda::Driver::open();
  if (!driver) return driver.error();
  const Result<DeviceInfo> info = cuda::readDeviceInfo(**driver, ordinal);
  if (!info) return info.error();
  const std::filesystem::path file = cuda::ceilingsFile(
      cacheFolder, info->name, info->identity.empty() ? info->place : info->identity,
      (*driver)->version(), probePtx);
  const bool isKept = !cacheFolder.empty() && makeOwnFolder(cacheFolder);
  if (isKept) {
    if (const auto kept = cuda::readCeilings(file)) return *kept;
  }
  const Result<cuda::ContextPtr> context = cuda::Context::open(*driver, ordinal);
  if (!context) return context.error();
  Result<Ceilings> ceilings = cuda::measureCeilings(*context, *info, probePtx);
  // If the folder is not writable, the next run measures again; this is not an error now.
  if (ceilings && isKept) {
    static_cast<void>(cuda::writeCeilings(file, *ceilings).ok());
  }
  return ceilings;
}

}  // namespace tilestep::device
