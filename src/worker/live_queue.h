// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "device/live.h"

namespace tilestep::worker {

/// Batches of live samples between somebody who makes them and somebody who may be slow. Bounded:
/// the oldest batches go first, and their samples are counted in what comes next. No lock.
class LiveQueue {
 public:
  explicit LiveQueue(size_t mostSamples) : most_(mostSamples) {}
  void add(device::LiveBatch batch);
  std::optional<device::LiveBatch> next();

 private:
  size_t most_, held_ = 0;  ///< Samples.
  std::deque<device::LiveBatch> batches_;
};

}  // namespace tilestep::worker
