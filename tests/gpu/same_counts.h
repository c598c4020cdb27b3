// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device.h"

namespace tilestep::test {

/// Runs a job plain, counting, and in the interpreter: results must be equal byte by byte, and
/// counters epoch by epoch, but for those that a GPU cannot give.
void expectSameCounts(device::Device& gpu, device::Job job);

}  // namespace tilestep::test
