// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "gpu/gpu_job.h"

namespace tilestep::test {

struct TraceCase {
  std::string kernel;
  compile::Bindings sizes, tunables;
};
std::string nameOf(const TraceCase& c);

/// Every kernel of kernels/ at several sizes and tunables; `large` adds 256.
std::vector<TraceCase> traceCases(bool large);

/// The corners of a grid, its middle, and one more block.
std::vector<Dim3> blocksOf(const Dim3& grid);

/// The source of a kernel with memory accesses of every width, guarded and unguarded, vectors,
/// generic addresses, diverging half-warps, dynamic and static shared memory, and early exits.
std::string mixedKernel();

/// Compares all events except for the clock and the device's name.
::testing::AssertionResult sameRecordings(const trace::BlockTrace& a, const trace::BlockTrace& b);

}  // namespace tilestep::test
