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

/// The corners of a grid, its middle, and a block between.
std::vector<Dim3> blocksOf(const Dim3& grid);

/// A kernel text with memory accesses of every width, guarded and not, vectors, generic addresses,
/// half-warps that go different ways, dynamic and static shared memory, early exits.
std::string mixedKernel();

/// Event for event, but for the clock and the device's name.
::testing::AssertionResult sameRecordings(const trace::BlockTrace& a, const trace::BlockTrace& b);

}  // namespace tilestep::test
