// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device.h"

namespace tilestep::test {

/// Runs a job plain, counting, and in the interpreter. Results must be equal byte by byte, and
/// counters epoch by epoch, except for those that a GPU cannot provide. `sameBits`: false if a GPU
/// adds in its own order (tensor cores); then only its own two results are compared.
void expectSameCounts(device::Device& gpu, device::Job job, bool sameBits = true);

/// Expects that a GPU's counters equal the interpreter's, except for those that a GPU cannot
/// provide.
void compareCounts(const trace::GridCounters& gpu, const trace::GridCounters& simt);

}  // namespace tilestep::test
