// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "features/names.h"
#include "model/scene/traced_kernel.h"

namespace tilestep::features {

/// An atomic operation of one thread.
struct AtomicUpdate {
  /// The last read of the thread before it within the step: an element or a slot, whose value says
  /// where or what it adds. Its buffer is -1 where the thread read nothing.
  StoreSource source;
  bool isShared = false;  ///< It changes shared memory; else global memory.
  trace::Access access;
};

/// The step's atomic operations, in the order of the trace. Pure.
[[nodiscard]] std::vector<AtomicUpdate> atomicUpdatesOf(const TracedStep& step);

/// The accesses of those on shared memory, or on global memory.
[[nodiscard]] std::vector<trace::Access> atomicsOn(trace::Space space, const TracedStep& step);

}  // namespace tilestep::features
