// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "base/process/data_limit.h"
#include "base/result.h"
#include "device/device.h"
#include "lab/run/finish.h"

namespace tilestep::lab {

/// The memory that one run may take, beside what the process has. For one thread.
class RunMemory {
 public:
  /// `bytes`: 0: no limit.
  RunMemory(uint64_t bytes, unsigned interpreterThreads);

  [[nodiscard]] uint64_t bytes() const { return bytes_; }

  /// Sees to it that the job takes no more: cuts its trace, or refuses it (fitIntoMemory). In the
  /// interpreter the system sees to it from here on, too; a driver's memory is not ours to count.
  Status limit(const Prepared& prepared, device::Job& job);

  /// Calls `work` without the system's limit, for a compiler, whose memory is not the run's.
  template <class Work>
  auto unlimited(const Work& work) {
    const bool wasHeld = held_.has_value();
    held_.reset();
    auto made = work();
    if (wasHeld) hold();
    return made;
  }

 private:
  void hold();

  uint64_t bytes_;
  unsigned interpreterThreads_;
  std::optional<DataLimit> held_;
};

}  // namespace tilestep::lab
