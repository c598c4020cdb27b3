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
};
[[nodiscard]] std::string toText(Level level);

struct RooflinePoint {
  Level level = Level::lanes;
  Figure bytes;                       ///< Moved at this level.
  Figure intensity;                   ///< FLOP/B.
  std::optional<Figure> performance;  ///< FLOP/s; absent where nothing was timed.
  bool hollow = false;                ///< A lower bound of the traffic, not a count.
  /// How the caches stood: of L2 and DRAM, whose traffic depends on it, `bytes` may be of runs that
  /// found them cold. Then `performance` is of such runs too where they were timed.
  bool coldBytes = false, coldPerformance = false;
};

/// What the kernel did, for its points.
struct RooflineWork {
  double operations = 0;          ///< Floating-point operations.
  uint64_t compulsoryBytes = 0;   ///< Every input read once, every output written once; 0 unknown.
  std::optional<double> seconds;  ///< Measured median; these runs found the caches warm.
  std::optional<double> coldSeconds;  ///< Measured median of runs that found them cold.
  /// From hardware counters, where they were read: reads and writes together.
  std::optional<uint64_t> l2Bytes, dramBytes;
  bool hardwareCold = false;  ///< Those are of runs that found the caches cold.
  std::string hardware;       ///< Whose counters those are, and how its caches stood.
  std::string countedBy;      ///< "interpreter" or the device's name.
  std::string measuredOn, coldMeasuredOn;
};

/// Lanes, L1, L2 and DRAM, those that are known; a level without bytes is left out. DRAM is hollow
/// where only the compulsory minimum is known, which is that of cold caches.
[[nodiscard]] std::vector<RooflinePoint> rooflinePoints(const trace::Counters& total,
                                                        const RooflineWork& work);

}  // namespace tilestep::metrics
