// SPDX-License-Identifier: Apache-2.0
#include "lab/run/run_memory.h"

#include "lab/run/memory_need.h"

namespace tilestep::lab {

RunMemory::RunMemory(uint64_t bytes, unsigned interpreterThreads)
    : bytes_(bytes), interpreterThreads_(interpreterThreads) {}

Status RunMemory::limit(const Prepared& prepared, device::Job& job) {
  if (bytes_ == 0) return {};
  Status fits = fitIntoMemory(bytes_, prepared.spec, prepared.plan, *prepared.device, job);
  if (fits && !prepared.device->info().computeCapability) hold();
  return fits;
}

void RunMemory::hold() {
  held_.reset();  // The limit is relative to current use, and only one limit can exist at a time.
  held_.emplace(bytes_ + uncountedBytes(interpreterThreads_));
}

}  // namespace tilestep::lab
