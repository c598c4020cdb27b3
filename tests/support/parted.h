// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "compile/kernel.h"

/// Launches whose counts are compared with the hardware's.
namespace tilestep::support {

struct PartedLaunch {
  std::string name;  ///< "triangle", "matmul_naive k=115 m=118 n=254"
  compile::KernelSource source;
  compile::Bindings sizes;
};

/// Every entry of tests/parted, whose kernels diverge. `home` contains tests/ and kernels/.
std::vector<PartedLaunch> partedKernels(const std::string& home);

/// Every kernel of kernels/ and its ladder, at odd sizes.
std::vector<PartedLaunch> shippedLaunches(const std::string& home);

}  // namespace tilestep::support
