// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "device/live.h"

namespace tilestep::worker {

/// A bounded queue of live samples between a producer and a consumer that may be slow. When it is
/// full the oldest batches are dropped, and their samples are counted in the next batch. No lock.
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
