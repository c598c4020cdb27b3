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
///   FP32       as measured on the device, or 2 FLOP a lane, cycle and SM
///   issue      one warp instruction a scheduler; four schedulers (compute capability 5.x, 6.1 up)
///   shared     one wavefront of at most 128 bytes (5.0 up)
///   L1         one wavefront of at most 128 bytes, of one 128-byte line (7.0 up). That a request
///              takes a cycle for each line it touches is not documented; it follows from an H200:
///              64 FLOP / 33 lines * 132 SMs * 1.98 GHz = 0.507 TFLOP/s, where the product whose
///              lanes go down a column makes 0.49 to 0.50, and 64 / 3 gives 5.58 TFLOP/s, where
///              the naive one with 16 x 16 blocks makes 5.07 to 5.39.
/// Each takes its SM's share of the work: an SM that has most has ceil(blocks / SMs) of the blocks,
/// so a grid that does not fill the last round waits for it:
///   time >= cycles of a warp's multiply-add * multiply-adds / 32 / SMs / clock / evenness
///   evenness = blocks / (SMs * ceil(blocks / SMs))
/// L2 moves what the hardware counted, and is left out if nothing was counted. DRAM moves what the
/// hardware counted, else each buffer once if they do not all fit into L2. Counts do not tell how
/// long one instruction waits for another, so latency is no part of a prediction.
///
/// The assembler merges shared loads of neighbouring slots, up to 16 bytes a lane, so the shared
/// wavefronts of PTX are an upper bound, and a lower bound is kept beside them. If the hardware's
/// own wavefronts are known, they are both. PTX instructions are an estimate of the machine's, and
/// there may be more or fewer.
namespace tilestep::metrics {

enum class Resource : uint8_t { fp32, issue, shared, l1, l2, dram };
inline constexpr size_t kResources = 6;
/// "shared memory"
[[nodiscard]] const char* toText(Resource resource);

/// What a launch did, as counted; wavefronts, requests and lines of loads and stores together.
struct CountedWork {
  double multiplyAdds = 0;                 ///< By threads; other f32 operations count as one, too.
  std::optional<double> warpInstructions;  ///< PTX; absent if not counted.
  double sharedWavefronts = 0;             ///< As written.
  double sharedLeast = 0;                  ///< Where the assembler merges all that it may.
  double globalRequests = 0, globalSectors = 0;
  std::optional<double> globalLines;  ///< 128-byte lines of each request, summed.
  /// Asynchronous copies were not counted, so what L1 and shared memory do for them is not known
  /// and their amounts are lower bounds.
  bool copiesUncounted = false;
  bool sharedAtLeast = false;  ///< Wavefronts come from counters that may leave copies out.
};

/// The launch whose time is predicted. It need not be the counted one, because counts are used per
/// multiply-add.
struct LaunchShape {
  double operations = 0;                     ///< Floating-point operations, 2 a multiply-add.
  uint64_t blocks = 0;                       ///< 0: unknown, and taken as spread evenly.
  uint64_t bufferBytes = 0;                  ///< All buffers, once.
  std::optional<double> l2Bytes, dramBytes;  ///< By the hardware's counters, of this launch.
};

struct DeviceRates {
  uint32_t multiprocessors = 0;
  double clockHz = 0;                                          ///< The highest.
  std::optional<double> fp32FlopPerSecond;                     ///< Measured, or from a data sheet.
  std::optional<double> l2BytesPerSecond, dramBytesPerSecond;  ///< Likewise.
  uint64_t l2Bytes = 0;                                        ///< 0: unknown.
  int computeMajor = 0, computeMinor = 0;  ///< 0: unknown; then only FP32 and DRAM are known.
};

/// What one resource does for a warp's multiply-add (32 threads) or, from limitsOfLaunch, for the
/// launch, and the time that this takes.
struct ResourceTime {
  Resource resource = Resource::fp32;
  /// Instructions, wavefronts or lines; FP32: multiply-adds of a warp; L2, DRAM: bytes of the
  /// launch.
  double amount = 0;
  double leastAmount = 0;  ///< Below `amount` where the assembler may merge.
  double seconds = 0;      ///< As written.
  double leastSeconds = 0;
  bool atLeast = false;  ///< Some of its work was not counted: the true time may be longer.
};

struct Limits {
  std::vector<ResourceTime> times;  ///< Known resources, in the order of Resource.
  Resource limit = Resource::fp32;  ///< Needs the longest, as written.
  double seconds = 0;               ///< That time.
  double leastSeconds = 0;          ///< The longest where all is merged that may be; never 0.
  double evenness = 1;              ///< See above; 1: every SM has as much to do.
  [[nodiscard]] const ResourceTime* of(Resource resource) const;
  /// FLOP/s of `operations`: as written, and with all merged that may be.
  [[nodiscard]] double predicted(double operations) const { return operations / seconds; }
  [[nodiscard]] double merged(double operations) const { return operations / leastSeconds; }
};

/// Warp schedulers of an SM; nothing where not known.
[[nodiscard]] std::optional<double> schedulersOf(const DeviceRates& rates);

/// blocks / (SMs * ceil(blocks / SMs)); 1 where either is unknown.
[[nodiscard]] double evennessOf(uint64_t blocks, uint32_t multiprocessors);

/// Nothing where there is no multiply-add, no operation, or no rate is known.
[[nodiscard]] std::optional<Limits> limitsOf(const CountedWork& work, const LaunchShape& shape,
                                             const DeviceRates& rates);

/// The same for a launch that was counted itself, whether it adds numbers or only moves them:
/// amounts are those of the whole launch, and each f32 operation keeps an FP32 lane busy for as
/// long as a multiply-add does. Nothing where no rate is known, or where it does nothing.
[[nodiscard]] std::optional<Limits> limitsOfLaunch(const CountedWork& work,
                                                   const LaunchShape& shape,
                                                   const DeviceRates& rates);

/// The same with all merged that the assembler may: amounts and times are the least.
[[nodiscard]] Limits mergedLimits(Limits limits);

/// How much faster a launch is predicted to be than another with the same operations. It is a
/// range, because what the assembler merges in either is not known.
struct PredictedGain {
  double low = 1, high = 1;
};
[[nodiscard]] PredictedGain predictedGain(const Limits& before, const Limits& after);

/// Least wavefronts of one shared request, were its access merged with its neighbours': its
/// distinct words fill whole wavefronts, and at most 16 / width accesses become one.
[[nodiscard]] double leastWavefronts(uint32_t wavefronts, uint32_t distinctWords, uint32_t width);

}  // namespace tilestep::metrics
