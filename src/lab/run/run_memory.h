// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "base/process/data_limit.h"
#include "base/result.h"
#include "device/device.h"
#include "lab/run/finish.h"

namespace tilestep::lab {

/// The memory that one run may use in addition to what the process already uses. For one thread.
class RunMemory {
 public:
  /// `bytes` is 0 for no limit.
  RunMemory(uint64_t bytes, unsigned interpreterThreads);

  [[nodiscard]] uint64_t bytes() const { return bytes_; }

  /// Enforces the limit on the job: cuts its trace, or rejects it (fitIntoMemory()). If the job
  /// runs in the interpreter, the operating system enforces the limit, too, from now on. A driver's
  /// memory cannot be limited.
  Status limit(const Prepared& prepared, device::Job& job);

  /// Calls `work` without the system's limit, for compilers, whose memory is not the run's.
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
