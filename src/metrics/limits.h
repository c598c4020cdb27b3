// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The least time that each resource of a GPU needs for a launch, computed from counts of the
/// program as written (PTX). The resource that needs the longest time is the predicted limit. Pure.
///
/// The throughput of a multiprocessor (SM) per cycle, according to the CUDA C++ Programming Guide
/// ("Arithmetic Instructions", "Shared Memory", "Hardware Multithreading") and the Kernel Profiling
/// Guide of Nsight Compute ("Memory Tables"), is:
///   FP32       as measured on the device, or 2 FLOP per lane, cycle and SM
///   issue      one warp instruction per scheduler; four schedulers (5.x and from 6.1 on)
///   shared     one wavefront of at most 128 bytes (from 5.0 on)
///   L1         one wavefront of at most 128 bytes of one 128-byte line (from 7.0 on). That every
///              line takes one cycle is not documented, but was inferred on an H200. A matrix
///              product whose lanes read down a column should reach 64 FLOP / 33 lines * 132 SMs *
///              1.98 GHz = 0.507 TFLOP/s, and reaches 0.49 to 0.50. The naive product with 16 x 16
///              blocks should reach 64 / 3 * ... = 5.58 TFLOP/s, and reaches 5.07 to 5.39.
/// The busiest SM has ceil(blocks / SMs) blocks, so a grid with a partial last round takes as long
/// as with a full last round:
///   time >= cycles of a warp's multiply-add * multiply-adds / 32 / SMs / clock / evenness
///   evenness = blocks / (SMs * ceil(blocks / SMs))
/// L2's bytes come from hardware counters; without these, L2 is omitted. DRAM's bytes come from
/// hardware counters; without these, each buffer counts once unless all buffers fit into L2. Counts
/// do not show how long instructions wait for each other, so predictions exclude latency.
///
/// The assembler merges shared loads of adjacent words, up to 16 bytes per lane, so the shared
/// wavefronts of PTX are an upper bound, with which a lower bound is stored. If the hardware's
/// wavefronts are known, both bounds are equal to them. The number of PTX instructions is an
/// estimate of the number of machine instructions.
namespace tilestep::metrics {

enum class Resource : uint8_t { fp32, issue, shared, l1, l2, dram };
inline constexpr size_t kResources = 6;
/// "shared memory"
[[nodiscard]] const char* toText(Resource resource);

/// Counts of a launch. Wavefronts, requests and lines include loads and stores.
struct CountedWork {
  double multiplyAdds = 0;                 ///< Thread-level f32 operations of any kind.
  std::optional<double> warpInstructions;  ///< PTX instructions; absent if not counted.
  double sharedWavefronts = 0;             ///< As written.
  double sharedLeast = 0;                  ///< With maximum merging by the assembler.
  double globalRequests = 0, globalSectors = 0;
  std::optional<double> globalLines;  ///< 128-byte lines of each request, summed.
  /// Asynchronous copies were not counted, so the amounts of L1 and shared memory are lower bounds.
  bool copiesUncounted = false;
  /// sharedWavefronts comes from hardware counters that may exclude copies.
  bool sharedAtLeast = false;
};

/// The launch whose time is predicted. It may differ from the counted launch.
struct LaunchShape {
  double operations = 0;                     ///< Floating-point operations, 2 per multiply-add.
  uint64_t blocks = 0;                       ///< 0 if unknown, which is treated as spread evenly.
  uint64_t bufferBytes = 0;                  ///< The total size of all buffers.
  std::optional<double> l2Bytes, dramBytes;  ///< From hardware counters of this launch.
};

struct DeviceRates {
  uint32_t multiprocessors = 0;
  double clockHz = 0;                                          ///< The maximum clock.
  std::optional<double> fp32FlopPerSecond;                     ///< Measured, or from a data sheet.
  std::optional<double> l2BytesPerSecond, dramBytesPerSecond;  ///< Measured, or from a data sheet.
  uint64_t l2Bytes = 0;                                        ///< 0 if unknown.
  /// 0 if unknown; then only FP32, L2 and DRAM are predicted.
  int computeMajor = 0, computeMinor = 0;
};

/// The work and time of a resource. Amounts are per warp-level multiply-add (32 threads) or, from
/// limitsOfLaunch(), for the launch.
struct ResourceTime {
  Resource resource = Resource::fp32;
  /// Instructions, wavefronts or lines. For FP32, warp-level multiply-adds. For L2 and DRAM, the
  /// launch's bytes.
  double amount = 0;
  double leastAmount = 0;  ///< With maximum merging by the assembler.
  double seconds = 0;      ///< As written.
  double leastSeconds = 0;
  bool atLeast = false;  ///< Some work was not counted, so the true time may be longer.
};

struct Limits {
  std::vector<ResourceTime> times;  ///< Resources with known times, in the order of Resource.
  Resource limit = Resource::fp32;  ///< The resource with the longest time, as written.
  double seconds = 0;               ///< The longest time, as written.
  double leastSeconds = 0;          ///< The longest time with maximum merging; never 0.
  double evenness = 1;              ///< As returned by evennessOf().
  [[nodiscard]] const ResourceTime* of(Resource resource) const;
  /// FLOP/s of `operations`, as written and with maximum merging.
  [[nodiscard]] double predicted(double operations) const { return operations / seconds; }
  [[nodiscard]] double merged(double operations) const { return operations / leastSeconds; }
};

/// The number of warp schedulers of an SM; nothing if unknown.
[[nodiscard]] std::optional<double> schedulersOf(const DeviceRates& rates);

/// blocks / (SMs * ceil(blocks / SMs)), which is 1 if all SMs have equal work. Also 1 if an
/// argument is 0.
[[nodiscard]] double evennessOf(uint64_t blocks, uint32_t multiprocessors);

/// Returns nothing if there are no multiply-adds, no operations or no known rates.
[[nodiscard]] std::optional<Limits> limitsOf(const CountedWork& work, const LaunchShape& shape,
                                             const DeviceRates& rates);

/// The limits of the counted launch itself, which may only move data. Amounts are for the whole
/// launch, and each f32 operation occupies an FP32 lane as long as a multiply-add. Returns nothing
/// if no rate is known or the launch does no work.
[[nodiscard]] std::optional<Limits> limitsOfLaunch(const CountedWork& work,
                                                   const LaunchShape& shape,
                                                   const DeviceRates& rates);

/// The limits with maximum merging by the assembler.
[[nodiscard]] Limits mergedLimits(Limits limits);

/// The predicted speedup of a launch over another launch with the same operations. It is a range,
/// because the assembler's merging is unknown for both launches.
struct PredictedGain {
  double low = 1, high = 1;
};
[[nodiscard]] PredictedGain predictedGain(const Limits& before, const Limits& after);

/// The fewest wavefronts of a shared request if the assembler merges it with others. At most 16 /
/// width accesses become one, and at best the distinct words fill whole wavefronts.
[[nodiscard]] double leastWavefronts(uint32_t wavefronts, uint32_t distinctWords, uint32_t width);

}  // namespace tilestep::metrics
