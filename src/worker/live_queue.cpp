// SPDX-License-Identifier: Apache-2.0
#include "worker/live_queue.h"

#include <utility>

namespace tilestep::worker {

void LiveQueue::add(device::LiveBatch batch) {
  held_ += batch.ms.size();
  batches_.push_back(std::move(batch));
  while (held_ > most_ && batches_.size() > 1) {
    const device::LiveBatch oldest = std::move(batches_.front());
    batches_.pop_front();
    held_ -= oldest.ms.size();
    batches_.front().dropped += oldest.dropped + oldest.ms.size();
    batches_.front().launches += oldest.launches;
  }
}

std::optional<device::LiveBatch> LiveQueue::next() {
  if (batches_.empty()) return std::nullopt;
  device::LiveBatch batch = std::move(batches_.front());
  batches_.pop_front();
  held_ -= batch.ms.size();
  return batch;
}

}  // namespace tilestep::worker
