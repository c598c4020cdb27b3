// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"

/// Live mode: one kernel launched again and again, each timed launch a sample of its own.
namespace tilestep::device {

/// Samples of a stream in the order of the launches. Times are the GPU's: an event before the
/// launch and one behind it, on one stream.
struct LiveBatch {
  static constexpr size_t kMostSamples = 8192;

  double startMs = 0;              ///< Since the stream began.
  std::vector<float> atMs;         ///< When each launch started, from startMs; never falling.
  std::vector<float> ms;           ///< How long it took, as many; above 0.
  uint32_t every = 1;              ///< One launch of so many is timed; the others run all the same.
  uint64_t launches = 0;           ///< All of them since the batch before, timed or not.
  uint64_t dropped = 0;            ///< Samples before these that were not taken in time.
  std::optional<double> clockMhz;  ///< Multiprocessors' mean clock lately; absent: not read.

  bool operator==(const LiveBatch&) const = default;
};

struct LiveOrder {
  /// Gets a batch at least ten times a second, as far as launches are shorter; on the thread that
  /// called. Must not wait.
  std::function<void(LiveBatch&&)> sink;
  /// Called every two seconds or so while the GPU has nothing to do; an Error ends the stream.
  /// May be empty.
  std::function<Status()> breathe;
};

}  // namespace tilestep::device
