// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device.h"

namespace tilestep::test {

/// Runs a job plain, counting, and in the interpreter: results must be equal byte by byte, and
/// counters epoch by epoch, but for those that a GPU cannot give. `sameBits`: false where a GPU
/// adds in an order of its own (tensor cores), so that only its own two results are compared.
void expectSameCounts(device::Device& gpu, device::Job job, bool sameBits = true);

/// Expects that a GPU's counters equal the interpreter's, but for those that a GPU cannot give.
void compareCounts(const trace::GridCounters& gpu, const trace::GridCounters& simt);

}  // namespace tilestep::test
