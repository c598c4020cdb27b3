// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The least time that each resource of a GPU needs for a launch, from counts of the program as
/// written (PTX). The resource that needs the longest is the predicted limit. Pure.
///
/// In one cycle, a multiprocessor (SM) does (CUDA C++ Programming Guide, "Arithmetic
/// Instructions", "Shared Memory" and "Hardware Multithreading"; the Kernel Profiling Guide of
/// Nsight Compute, "Memory Tables"):
///   FP32       as measured on the device, or 2 FLOP per lane, cycle and SM
///   issue      one warp instruction per scheduler; four of them (compute capability 5.x, 6.1 up)
///   shared     one wavefront of at most 128 bytes (5.0 up)
///   L1         one wavefront of at most 128 bytes, of one 128-byte line (7.0 up). It is not
///              documented that a request takes one cycle per line; this was inferred on an H200:
///              64 FLOP / 33 lines * 132 SMs * 1.98 GHz = 0.507 TFLOP/s, and the matrix product
///              whose lanes go down a column reaches 0.49 to 0.50; 64 / 3 gives 5.58 TFLOP/s, and
///              the naive one with 16 x 16 blocks reaches 5.07 to 5.39.
/// Each resource does its SM's share of the work. The busiest SM has ceil(blocks / SMs) blocks, so
/// a grid with a partial last round takes as long as with a full one:
///   time >= cycles of a warp's multiply-add * multiply-adds / 32 / SMs / clock / evenness
///   evenness = blocks / (SMs * ceil(blocks / SMs))
/// L2's bytes come from hardware counters; without them, L2 is omitted. DRAM's bytes come from
/// hardware counters, else each buffer counts once if they do not all fit into L2. Counts do not
/// show how long instructions wait for each other, so predictions exclude latency.
///
/// The assembler merges shared loads of neighbouring slots, up to 16 bytes per lane, so the shared
/// wavefronts of PTX are an upper bound; a lower bound is stored with them. If the hardware's
/// wavefronts are known, they are both bounds. The count of PTX instructions estimates the count of
/// machine instructions, which may be larger or smaller.
namespace tilestep::metrics {

enum class Resource : uint8_t { fp32, issue, shared, l1, l2, dram };
inline constexpr size_t kResources = 6;
/// "shared memory"
[[nodiscard]] const char* toText(Resource resource);

/// Counts of a launch; wavefronts, requests and lines include loads and stores.
struct CountedWork {
  double multiplyAdds = 0;                 ///< Per thread; other f32 operations count as one, too.
  std::optional<double> warpInstructions;  ///< PTX; absent if not counted.
  double sharedWavefronts = 0;             ///< As written.
  double sharedLeast = 0;                  ///< If the assembler merges as much as it can.
  double globalRequests = 0, globalSectors = 0;
  std::optional<double> globalLines;  ///< 128-byte lines of each request, summed.
  /// Asynchronous copies were not counted, so their work in L1 and shared memory is unknown, and
  /// those amounts are lower bounds.
  bool copiesUncounted = false;
  bool sharedAtLeast = false;  ///< Wavefronts come from counters that may exclude copies.
};

/// The launch whose time is predicted. It may differ from the counted one, because counts are used
/// per multiply-add.
struct LaunchShape {
  double operations = 0;                     ///< Floating-point operations, 2 per multiply-add.
  uint64_t blocks = 0;                       ///< 0: unknown; then treated as spread evenly.
  uint64_t bufferBytes = 0;                  ///< The total size of all buffers.
  std::optional<double> l2Bytes, dramBytes;  ///< Hardware counters of this launch.
};

struct DeviceRates {
  uint32_t multiprocessors = 0;
  double clockHz = 0;                                          ///< The maximum clock.
  std::optional<double> fp32FlopPerSecond;                     ///< Measured, or from a data sheet.
  std::optional<double> l2BytesPerSecond, dramBytesPerSecond;  ///< Likewise.
  uint64_t l2Bytes = 0;                                        ///< 0: unknown.
  int computeMajor = 0, computeMinor = 0;  ///< 0: unknown; then only FP32 and DRAM are known.
};

/// The work of one resource for a warp's multiply-add (32 threads) or, from limitsOfLaunch(), for
/// the launch, and its time.
struct ResourceTime {
  Resource resource = Resource::fp32;
  /// Instructions, wavefronts or lines; FP32: a warp's multiply-adds; L2, DRAM: bytes of the
  /// launch.
  double amount = 0;
  double leastAmount = 0;  ///< Less than `amount` if the assembler may merge.
  double seconds = 0;      ///< As written.
  double leastSeconds = 0;
  bool atLeast = false;  ///< Some of its work was not counted, so the true time may be longer.
};

struct Limits {
  std::vector<ResourceTime> times;  ///< Known resources, in the order of Resource.
  Resource limit = Resource::fp32;  ///< The resource with the longest time, as written.
  double seconds = 0;               ///< That time.
  double leastSeconds = 0;          ///< The longest time with maximum merging; never 0.
  double evenness = 1;              ///< See above; 1: every SM has the same amount of work.
  [[nodiscard]] const ResourceTime* of(Resource resource) const;
  /// FLOP/s of `operations`: as written, and with maximum merging.
  [[nodiscard]] double predicted(double operations) const { return operations / seconds; }
  [[nodiscard]] double merged(double operations) const { return operations / leastSeconds; }
};

/// Warp schedulers of an SM; nothing if unknown.
[[nodiscard]] std::optional<double> schedulersOf(const DeviceRates& rates);

/// blocks / (SMs * ceil(blocks / SMs)); 1 if either is unknown.
[[nodiscard]] double evennessOf(uint64_t blocks, uint32_t multiprocessors);

/// Nothing if there is no multiply-add, no operation or no known rate.
[[nodiscard]] std::optional<Limits> limitsOf(const CountedWork& work, const LaunchShape& shape,
                                             const DeviceRates& rates);

/// The limits of a launch that was itself counted, whether it computes or only moves data: amounts
/// are those of the whole launch, and each f32 operation occupies an FP32 lane as long as a
/// multiply-add. Nothing if no rate is known, or if the launch does no work.
[[nodiscard]] std::optional<Limits> limitsOfLaunch(const CountedWork& work,
                                                   const LaunchShape& shape,
                                                   const DeviceRates& rates);

/// The limits with maximum merging by the assembler: the smallest amounts and times.
[[nodiscard]] Limits mergedLimits(Limits limits);

/// The predicted speedup of a launch over another one with the same operations. It is a range,
/// because the assembler's merging is unknown for both.
struct PredictedGain {
  double low = 1, high = 1;
};
[[nodiscard]] PredictedGain predictedGain(const Limits& before, const Limits& after);

/// The fewest wavefronts of one shared request if its access is merged with its neighbours': its
/// distinct words fill whole wavefronts, and at most 16 / width accesses become one.
[[nodiscard]] double leastWavefronts(uint32_t wavefronts, uint32_t distinctWords, uint32_t width);

}  // namespace tilestep::metrics
