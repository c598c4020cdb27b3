// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/figure.h"
#include "trace/counters.h"

/// The hierarchical roofline. Source: Williams, Waterman and Patterson, "Roofline", CACM 52(4),
/// 2009; levels as in Yang, Kurth and Williams, "Hierarchical Roofline Analysis for GPUs", 2020.
/// Each point is compared only with the roof of its own level. Pure.
namespace tilestep::metrics {

/// min(peak, intensity * bandwidth), FLOP/s.
[[nodiscard]] double attainable(double flopPerByte, double peakFlopPerSecond,
                                double bytesPerSecond);
/// The arithmetic intensity at which the slope meets the flat roof: peak / bandwidth, FLOP/B.
[[nodiscard]] double ridgePoint(double peakFlopPerSecond, double bytesPerSecond);

enum class Level : uint8_t {
  lanes,  ///< Bytes requested by lanes, as in the textbook's model without caches.
  l1,     ///< Sectors counted from addresses, 32 bytes each.
  l2,     ///< From hardware counters only.
  dram,   ///< From hardware counters, or the compulsory minimum as a hollow point.
  /// Wavefronts counted by the hardware, 128 bytes each. PTX counts give no point, because the
  /// assembler merges shared loads.
  shared,
};
inline constexpr size_t kLevels = 5;
inline constexpr uint64_t kWavefrontBytes = 128;  ///< 32 banks of 4 bytes.
[[nodiscard]] std::string toText(Level level);
/// The level whose bandwidth is this level's roof. DRAM for `lanes`, a model without caches.
[[nodiscard]] Level roofOf(Level level);

struct RoofDistance {
  double attainable = 0;  ///< FLOP/s.
  double share = 0;       ///< Performance / attainable; above 1 only if the level's model is wrong.
  double peakShare = 0;   ///< Performance / peak.
  bool byMemory = false;  ///< Left of the ridge point, where bandwidth is the limit.
};
[[nodiscard]] RoofDistance distanceTo(double flopPerSecond, double flopPerByte,
                                      double peakFlopPerSecond, double bytesPerSecond);

struct RooflinePoint {
  Level level = Level::lanes;
  Figure bytes;                       ///< Bytes moved at this level.
  Figure intensity;                   ///< FLOP/B.
  std::optional<Figure> performance;  ///< FLOP/s; absent if not timed.
  bool hollow = false;                ///< `bytes` is a lower bound, not a count.
  /// Whether `bytes` and `performance` are from runs with cold caches, which affect the traffic of
  /// L2 and DRAM. `performance` is not if no such runs were timed.
  bool coldBytes = false, coldPerformance = false;
};

struct RooflineWork {
  double operations = 0;     ///< Floating-point operations.
  uint64_t askedBytes = 0;   ///< Requested by lanes, for loads and stores; 0 if unknown.
  uint64_t sectorBytes = 0;  ///< Bytes of L1 sectors, for loads and stores; 0 if unknown.
  /// Every input read once, every output written once; 0 if unknown.
  uint64_t compulsoryBytes = 0;
  std::optional<double> seconds;      ///< Median of measured runs with warm caches.
  std::optional<double> coldSeconds;  ///< Median of measured runs with cold caches.
  /// From hardware counters, if they were read; reads plus writes.
  std::optional<uint64_t> l2Bytes, dramBytes;
  /// From hardware counters; independent of the state of the caches.
  std::optional<uint64_t> sharedBytes;
  bool hardwareCold = false;  ///< The counters come from runs with cold caches.
  std::string hardware;       ///< The source of the counters, and the state of the caches.
  std::string countedBy;      ///< "interpreter" or the device's name.
  std::string measuredOn, coldMeasuredOn;
  bool operator==(const RooflineWork&) const = default;
};

/// Bytes moved at a level; for DRAM, the compulsory minimum if there is no counter. 0 if unknown.
[[nodiscard]] uint64_t bytesAt(const RooflineWork& work, Level level);
/// The time for bytesAt(): that of cold runs if the bytes are from cold runs and these were timed.
[[nodiscard]] std::optional<double> secondsAt(const RooflineWork& work, Level level);

/// A point for each level whose bytes are known. DRAM is hollow if only the compulsory minimum is
/// known, which applies to cold caches.
[[nodiscard]] std::vector<RooflinePoint> rooflinePoints(const RooflineWork& work);
/// Like the above, with the requested bytes and the sectors of `total`.
[[nodiscard]] std::vector<RooflinePoint> rooflinePoints(const trace::Counters& total,
                                                        const RooflineWork& work);

}  // namespace tilestep::metrics
