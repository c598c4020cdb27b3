// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "compile/kernel.h"

/// Launches whose counts are compared with the hardware's.
namespace tilestep::support {

struct PartedLaunch {
  std::string name;  ///< "loops.cu triangle n=1009"
  compile::KernelSource source;
  compile::Bindings sizes;
};

/// Every entry of tests/parted, whose kernels part the lanes of a warp; then every kernel of
/// kernels/ and its ladder, at odd sizes. `home` holds tests/ and kernels/.
std::vector<PartedLaunch> partedLaunches(const std::string& home);

/// Those of tests/parted alone.
std::vector<PartedLaunch> partedKernels(const std::string& home);

}  // namespace tilestep::support
