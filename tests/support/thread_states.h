// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilestep::support {

/// Whether every other thread of this process sleeps: it waits for something, and neither runs, nor
/// waits for a processor or a disk. On a busy machine a thread that has work is never asleep.
[[nodiscard]] bool otherThreadsSleep();

}  // namespace tilestep::support
