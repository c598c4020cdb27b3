// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "features/names.h"
#include "model/scene/traced_kernel.h"

namespace tilestep::features {

/// An atomic operation of one thread.
struct AtomicUpdate {
  /// The thread's last read before it within the step: an element or a slot whose value determines
  /// the address or the operand. Its buffer is -1 if the thread read nothing.
  StoreSource source;
  bool isShared = false;  ///< It changes shared memory; otherwise global memory.
  trace::Access access;
};

/// The step's atomic operations, in the order of the trace. Pure.
[[nodiscard]] std::vector<AtomicUpdate> atomicUpdatesOf(const TracedStep& step);

/// The accesses of those to shared memory, or to global memory.
[[nodiscard]] std::vector<trace::Access> atomicsOn(trace::Space space, const TracedStep& step);

}  // namespace tilestep::features
