// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"

/// Live mode: one kernel launched repeatedly; each timed launch is a sample.
namespace tilestep::device {

/// Samples of a stream, in launch order. Times are the GPU's, from events before and after each
/// launch, on one stream.
struct LiveBatch {
  static constexpr size_t kMostSamples = 8192;

  double startMs = 0;       ///< Time since the stream began.
  std::vector<float> atMs;  ///< Start of each launch, relative to startMs; not decreasing.
  std::vector<float> ms;    ///< Duration of each launch, above 0; as many as in atMs.
  uint32_t every = 1;       ///< One launch in `every` is timed; all of them run.
  uint64_t launches = 0;    ///< All launches since the previous batch, timed or not.
  /// Earlier samples without a time, because they were not read in time or took less than a tick
  /// of the GPU's clock.
  uint64_t dropped = 0;
  std::optional<double> clockMhz;  ///< The multiprocessors' recent mean clock; absent if not read.

  bool operator==(const LiveBatch&) const = default;
};

struct LiveOrder {
  /// Receives a batch at least ten times per second, if launches are short enough, on the calling
  /// thread. Must not block.
  std::function<void(LiveBatch&&)> sink;
  /// Called about every two seconds while the GPU is idle; an Error ends the stream. May be empty.
  std::function<Status()> breathe;
};

}  // namespace tilestep::device
