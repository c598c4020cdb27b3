// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilestep::support {

/// Whether every other thread of this process sleeps, which means that it waits for something other
/// than a processor or a disk. A thread that has work is never asleep, even on a busy machine.
[[nodiscard]] bool otherThreadsSleep();

}  // namespace tilestep::support
