// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>

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
constexpr uint32_t kL1Bytes = 16384;  // the same for every block; fits every L1 since Volta

/// The ceilings' kernels on one GPU: each is run until warm, then timed; the best of a few runs
/// counts, since a ceiling is what the machine can do.
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

  /// Bytes a second of reading `bytes` again and again past L1.
  Result<double> read(uint64_t bytes, uint32_t passes) {
    const uint32_t blocks = info_->multiprocessors * 8;
    // The kernel reads whole rounds of four loads a thread.
    const uint64_t round = uint64_t{blocks} * kThreads * 4;
    uint64_t vectors = std::max(bytes / 16 / round, uint64_t{1}) * round;
    DevicePointer data = data_.get(), sink = sink_.get();
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

  /// Bytes a second, read and written, of copying one half of the data to the other.
  Result<double> copy() {
    const uint32_t blocks = info_->multiprocessors * 8;
    uint64_t vectors = bytes_ / 32;
    DevicePointer from = data_.get(), to = data_.get() + vectors * 16;
    void* parameters[] = {&from, &to, &vectors};
    const Result<double> seconds = bestSeconds("ceiling_copy", blocks, parameters);
    if (!seconds) return seconds.error();
    return static_cast<double>(vectors) * 32 / *seconds;
  }

  /// Seconds on the host's clock for each of `launches` empty kernels, then a wait; the best run.
  Result<double> launchSeconds(int launches) {
    const Result<FunctionHandle> function = findFunction(*context_, module_, "ceiling_empty");
    if (!function) return function.error();
    double best = 0;
    for (int run = 0; run < kLaunchRuns; ++run) {
      const auto begun = std::chrono::steady_clock::now();
      for (int i = 0; i < launches; ++i) {
        if (Status s = context_->check(
                context_->api().launchKernel(*function, 1, 1, 1, 32, 1, 1, 0, execution_->stream(),
                                             nullptr, nullptr),
                "Launching ceiling_empty");
            !s) {
          return s.error();
        }
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

  Result<double> bestSeconds(const std::string& name, uint32_t blocks, void** parameters) {
    const Api& api = context_->api();
    const Result<FunctionHandle> function = findFunction(*context_, module_, name);
    if (!function) return function.error();
    const Result<Event> start = makeEvent(context_), stop = makeEvent(context_);
    if (!start) return start.error();
    if (!stop) return stop.error();
    const StreamHandle stream = execution_->stream();
    float best = 0;
    for (int run = 0; run < kRuns; ++run) {
      if (Status s = execution_->note(api.eventRecord(start->get(), stream), "cuEventRecord"); !s) {
        return s.error();
      }
      if (Status s = context_->check(api.launchKernel(*function, blocks, 1, 1, kThreads, 1, 1, 0,
                                                      stream, parameters, nullptr),
                                     "Launching " + name);
          !s) {
        return s.error();
      }
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
  // A quarter of the L2 cache: larger data would be shared between its two halves' copies.
  const uint64_t l2Bytes = std::max(info.l2Bytes / 4, uint64_t{1} << 20);
  const Result<double> fma = bench->fma();
  const Result<double> dram = bench->read(bench->bytes(), 1);
  const Result<double> l2 = bench->read(l2Bytes, 40);
  const Result<double> l1 = bench->l1();
  const Result<double> shared = bench->shared();
  const Result<double> copy = bench->copy();
  const Result<double> launch = bench->launchSeconds(kLaunches);
  const Result<double> wait = bench->launchSeconds(1);
  for (const Result<double>* one : {&fma, &dram, &l2, &l1, &shared, &copy, &launch, &wait}) {
    if (!*one) return one->error();
  }
  device::Ceilings ceilings;
  ceilings.device = info.name;
  ceilings.origin = "measured " + utcToday();
  ceilings.measured = true;
  ceilings.fp32FlopPerSecond = *fma;
  ceilings.dramBytesPerSecond = *dram;
  ceilings.l2BytesPerSecond = *l2;
  ceilings.l1BytesPerSecond = *l1;
  ceilings.sharedBytesPerSecond = *shared;
  ceilings.dramCopyBytesPerSecond = *copy;
  ceilings.launchSeconds = *launch;
  ceilings.launchAndWaitSeconds = *wait;
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
  if (!cacheFolder.empty()) {
    if (const auto kept = cuda::readCeilings(file)) return *kept;
  }
  const Result<cuda::ContextPtr> context = cuda::Context::open(*driver, ordinal);
  if (!context) return context.error();
  Result<Ceilings> ceilings = cuda::measureCeilings(*context, *info, probePtx);
  // A folder that cannot be written to costs a second measurement, not this one.
  if (ceilings && !cacheFolder.empty()) {
    static_cast<void>(cuda::writeCeilings(file, *ceilings).ok());
  }
  return ceilings;
}

}  // namespace tilestep::device
