// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "features/names.h"
#include "model/scene/traced_kernel.h"

namespace tilestep::features {

/// An atomic operation by one thread.
struct AtomicUpdate {
  /// The thread's last read before the operation within the step. Its value may determine the
  /// address or the operand. The buffer is -1 if the thread read nothing.
  StoreSource source;
  bool isShared = false;  ///< Changes shared memory; otherwise global memory.
  trace::Access access;
};

/// The step's atomic operations, in the order of the trace. Pure.
[[nodiscard]] std::vector<AtomicUpdate> atomicUpdatesOf(const TracedStep& step);

/// The accesses of the step's atomic operations to the given memory space.
[[nodiscard]] std::vector<trace::Access> atomicsOn(trace::Space space, const TracedStep& step);

}  // namespace tilestep::features
