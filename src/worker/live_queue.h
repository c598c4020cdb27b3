// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "device/live.h"

namespace tilestep::worker {

/// A bounded queue of live samples between a producer and a slow consumer. If it is full, the
/// oldest batches are dropped, and the next batch has the number of dropped samples. Not
/// thread-safe.
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
