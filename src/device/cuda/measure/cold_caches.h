// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/driver/program.h"
#include "device/cuda/execution.h"

namespace tilestep::cuda {

/// Evicts a job's data from L2 by reading a scratch buffer several times the size of L2. L2 then
/// holds only clean lines, so that no write-back is counted against the next kernel. L1 is empty at
/// every launch anyway.
class ColdCaches {
 public:
  static Result<ColdCaches> make(const ContextPtr& context, const device::DeviceInfo& info);
  /// Asynchronous.
  Status flush(StreamHandle stream);

 private:
  Program program_;
  Memory scratch_;
  uint64_t words_ = 0;  ///< 16-byte words of the scratch buffer.
};

}  // namespace tilestep::cuda
