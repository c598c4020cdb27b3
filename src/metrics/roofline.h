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
/// Each point belongs under the ceiling of its own level only. Pure.
namespace tilestep::metrics {

/// min(peak, intensity * bandwidth), FLOP/s.
[[nodiscard]] double attainable(double flopPerByte, double peakFlopPerSecond,
                                double bytesPerSecond);
/// Where the slope meets the flat: peak / bandwidth, FLOP/B.
[[nodiscard]] double ridgePoint(double peakFlopPerSecond, double bytesPerSecond);

enum class Level : uint8_t {
  lanes,  ///< Bytes the lanes ask for: the textbook's model, no cache at all.
  l1,     ///< Sectors counted from addresses, 32 bytes each.
  l2,     ///< Hardware counters only.
  dram,   ///< Hardware counters only, or the compulsory minimum as a hollow point.
  /// Shared memory: passes that the hardware counted, 128 bytes each. PTX counts place no point,
  /// because the assembler merges shared loads.
  shared,
};
inline constexpr size_t kLevels = 5;
inline constexpr uint64_t kWavefrontBytes = 128;  ///< 32 banks of 4 bytes.
[[nodiscard]] std::string toText(Level level);
/// The level whose bandwidth is this level's roof. It is DRAM for the lanes' model, which has no
/// cache.
[[nodiscard]] Level roofOf(Level level);

/// A point below its level's roof, or above it.
struct RoofDistance {
  double attainable = 0;  ///< FLOP/s.
  double share = 0;       ///< Performance / attainable; above 1 only if the level's model is wrong.
  double peakShare = 0;   ///< Performance / peak.
  bool byMemory = false;  ///< Left of the ridge: bandwidth sets the roof, not the peak.
};
[[nodiscard]] RoofDistance distanceTo(double flopPerSecond, double flopPerByte,
                                      double peakFlopPerSecond, double bytesPerSecond);

struct RooflinePoint {
  Level level = Level::lanes;
  Figure bytes;                       ///< Moved at this level.
  Figure intensity;                   ///< FLOP/B.
  std::optional<Figure> performance;  ///< FLOP/s; absent where nothing was timed.
  bool hollow = false;                ///< A lower bound of the traffic, not a count.
  /// Whether the caches were cold. Traffic of L2 and DRAM depends on it. If `bytes` comes from runs
  /// with cold caches, so does `performance`, provided that such runs were timed.
  bool coldBytes = false, coldPerformance = false;
};

/// What the kernel did, for its points.
struct RooflineWork {
  double operations = 0;          ///< Floating-point operations.
  uint64_t askedBytes = 0;        ///< By lanes, loads and stores; 0 unknown.
  uint64_t sectorBytes = 0;       ///< Bytes of L1 sectors, likewise.
  uint64_t compulsoryBytes = 0;   ///< Every input read once, every output written once; 0 unknown.
  std::optional<double> seconds;  ///< Measured median; these runs found the caches warm.
  std::optional<double> coldSeconds;  ///< Measured median of runs that found them cold.
  /// From hardware counters, where they were read: reads and writes together.
  std::optional<uint64_t> l2Bytes, dramBytes;
  std::optional<uint64_t> sharedBytes;  ///< Likewise; caches do not change them.
  bool hardwareCold = false;            ///< Those are of runs that found the caches cold.
  std::string hardware;                 ///< Whose counters those are, and how its caches stood.
  std::string countedBy;                ///< "interpreter" or the device's name.
  std::string measuredOn, coldMeasuredOn;
  bool operator==(const RooflineWork&) const = default;
};

/// Bytes moved at a level; for DRAM, the compulsory minimum if no counter says more. 0: unknown.
[[nodiscard]] uint64_t bytesAt(const RooflineWork& work, Level level);
/// The seconds that belong to those bytes: of runs with cold caches if the bytes are, and if such
/// runs were timed.
[[nodiscard]] std::optional<double> secondsAt(const RooflineWork& work, Level level);

/// Lanes, L1, L2, DRAM and shared memory, those that are known; a level without bytes is left out.
/// DRAM is hollow where only the compulsory minimum is known, which is that of cold caches.
[[nodiscard]] std::vector<RooflinePoint> rooflinePoints(const RooflineWork& work);
/// With the asked bytes and the sectors of `total`.
[[nodiscard]] std::vector<RooflinePoint> rooflinePoints(const trace::Counters& total,
                                                        const RooflineWork& work);

}  // namespace tilestep::metrics
