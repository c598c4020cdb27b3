// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/measure/measure_probe.h"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "device/cuda/measure/sampling.h"

namespace tilestep::cuda {
namespace {

constexpr uint64_t kGateNanoseconds = 250'000'000;

/// PTX instead of CUDA C++, so that a measurement needs no compiler. The stamp kernel has more
/// blocks than there are multiprocessors, so that each multiprocessor gets at least one. A
/// multiprocessor's last block overwrites the stamps of its earlier blocks.
constexpr const char* kPtx = R"(
.address_size 64
.visible .entry tilestep_gate(.param .u64 gate_flag, .param .u64 gate_limit)
{
  .reg .pred %p<3>;
  .reg .b32 %r<3>;
  .reg .b64 %d<6>;
  ld.param.u64 %d1, [gate_flag];
  ld.param.u64 %d2, [gate_limit];
  mov.u64 %d3, %globaltimer;
WAIT:
  ld.volatile.global.u32 %r1, [%d1];
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra DONE;
  mov.u64 %d4, %globaltimer;
  sub.u64 %d5, %d4, %d3;
  setp.lt.u64 %p2, %d5, %d2;
  @%p2 bra WAIT;
  mov.u32 %r2, 1;
  st.volatile.global.u32 [%d1+4], %r2;
DONE:
  ret;
}
.visible .entry tilestep_stamp(.param .u64 stamp_table, .param .u32 stamp_count)
{
  .reg .pred %p<2>;
  .reg .b32 %r<3>;
  .reg .b64 %d<6>;
  ld.param.u64 %d1, [stamp_table];
  ld.param.u32 %r1, [stamp_count];
  mov.u32 %r2, %smid;
  setp.ge.u32 %p1, %r2, %r1;
  @%p1 bra DONE;
  mul.wide.u32 %d2, %r2, 16;
  add.u64 %d3, %d1, %d2;
  mov.u64 %d4, %clock64;
  mov.u64 %d5, %globaltimer;
  st.global.v2.u64 [%d3], {%d4, %d5};
DONE:
  ret;
}
)";

/// With fewer timer ticks, the error of the computed clock would exceed one percent.
constexpr uint64_t kTicks = 100;

/// The timer's tick: the greatest common divisor of all its readings.
uint64_t tickOf(const std::vector<ClockStamp>& stamps) {
  uint64_t tick = 0;
  for (const ClockStamp& stamp : stamps) tick = std::gcd(tick, stamp.nanoseconds);
  return std::max<uint64_t>(tick, 1);
}

/// Prepends a PTX header that old GPUs and old drivers accept.
std::string ptxFor(const device::DeviceInfo& info) {
  const std::string capability = info.computeCapability.value_or("7.5");
  const int major = capability[0] - '0', minor = capability.size() > 2 ? capability[2] - '0' : 0;
  const bool old = capability.size() == 3 && major * 10 + minor < 75;
  return std::string(".version 6.3\n.target sm_") +
         (old ? std::to_string(major) + std::to_string(minor) : "75") + kPtx;
}

}  // namespace

Result<MeasureProbe> MeasureProbe::open(const ContextPtr& context, const device::DeviceInfo& info) {
  MeasureProbe probe;
  probe.context_ = context;
  probe.multiprocessors_ = info.multiprocessors;
  Result<LoadedModule> module = loadModule(context, ptxFor(info));
  if (!module) return module.error();
  probe.module_ = std::move(*module);
  const Result<FunctionHandle> gate = findFunction(*context, probe.module_, "tilestep_gate");
  if (!gate) return gate.error();
  const Result<FunctionHandle> stamp = findFunction(*context, probe.module_, "tilestep_stamp");
  if (!stamp) return stamp.error();
  probe.gate_ = *gate;
  probe.stamp_ = *stamp;
  Result<HostMemory> flag = allocateHost(context, sizeof(Gate), "a start signal");
  if (!flag) return flag.error();
  probe.flag_ = std::move(*flag);
  if (Status s = context->check(
          context->api().memHostGetDevicePointer(&probe.flagOnDevice_, probe.flag_.get(), 0),
          "Mapping a start signal");
      !s) {
    return s.error();
  }
  Result<Memory> stamps = allocate(
      context, uint64_t{kStamps} * info.multiprocessors * sizeof(ClockStamp), "clock stamps");
  if (!stamps) return stamps.error();
  probe.stamps_ = std::move(*stamps);
  return probe;
}

Status MeasureProbe::hold(StreamHandle stream) {
  auto* gate = static_cast<volatile Gate*>(flag_.get());
  gate->open = 0;
  gate->gaveUp = 0;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  uint64_t limit = kGateNanoseconds;
  void* parameters[] = {&flagOnDevice_, &limit};
  return context_->check(
      context_->api().launchKernel(gate_, 1, 1, 1, 1, 1, 1, 0, stream, parameters, nullptr),
      "Launching a measurement's gate");
}

void MeasureProbe::release() {
  auto* gate = static_cast<volatile Gate*>(flag_.get());
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (gate->gaveUp != 0) usable_ = false;
  gate->open = 1;
}

Status MeasureProbe::stamp(StreamHandle stream, uint32_t index) {
  // Clears the previous stamps, in case a multiprocessor gets no block this time.
  if (index == 0) {
    const uint64_t bytes = uint64_t{kStamps} * multiprocessors_ * sizeof(ClockStamp);
    if (Status s = context_->check(context_->api().memsetD8Async(stamps_.get(), 0, bytes, stream),
                                   "Clearing clock stamps");
        !s) {
      return s;
    }
  }
  DevicePointer table = stamps_.get() + uint64_t{index} * multiprocessors_ * sizeof(ClockStamp);
  void* parameters[] = {&table, &multiprocessors_};
  return context_->check(context_->api().launchKernel(stamp_, multiprocessors_ * 2, 1, 1, 1, 1, 1,
                                                      0, stream, parameters, nullptr),
                         "Launching a measurement's clock stamp");
}

Result<std::vector<double>> MeasureProbe::clocksMhz(uint32_t stamps) const {
  std::vector<ClockStamp> read(size_t{stamps} * multiprocessors_);
  if (Status s = context_->check(
          context_->api().memcpyDtoH(read.data(), stamps_.get(), read.size() * sizeof(ClockStamp)),
          "Reading clock stamps");
      !s) {
    return s.error();
  }
  return clocksBetween(read, multiprocessors_);
}

std::vector<double> clocksBetween(const std::vector<ClockStamp>& stamps, uint32_t multiprocessors) {
  std::vector<double> all;
  const uint64_t tick = tickOf(stamps);
  for (size_t at = multiprocessors; at + multiprocessors <= stamps.size(); at += multiprocessors) {
    std::vector<double> mhz;
    for (size_t i = at; i < at + multiprocessors; ++i) {
      const ClockStamp &before = stamps[i - multiprocessors], &after = stamps[i];
      if (before.nanoseconds == 0 || after.cycles <= before.cycles ||
          after.nanoseconds < before.nanoseconds + kTicks * tick) {
        continue;
      }
      mhz.push_back(1e3 * static_cast<double>(after.cycles - before.cycles) /
                    static_cast<double>(after.nanoseconds - before.nanoseconds));
    }
    all.push_back(median(std::move(mhz)));
  }
  return all;
}

}  // namespace tilestep::cuda
