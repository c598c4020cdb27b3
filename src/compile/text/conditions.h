// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tilestep::compile {

struct DoubtfulCondition {
  std::string name;
  int line = 0;  ///< The line of the #if, from 1.
};

/// The first preprocessor condition that may differ with nvcc, because it tests a name that nvcc or
/// a host header defines, such as CUDA_VERSION, __NVCC__ or RAND_MAX. Ignores conditions that
/// affect neither code nor macros, and names that the source defines. Nullopt if there is none.
[[nodiscard]] std::optional<DoubtfulCondition> doubtfulCondition(std::string_view text);

}  // namespace tilestep::compile
