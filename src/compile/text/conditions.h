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

/// The first preprocessor condition that may differ between nvcc and Tilestep, because it tests a
/// name that nvcc or a host header defines: CUDA_VERSION, __NVCC__, RAND_MAX. Only conditions that
/// affect code or macros count, and only names that the text does not define itself. Nullopt if
/// there is none.
[[nodiscard]] std::optional<DoubtfulCondition> doubtfulCondition(std::string_view text);

}  // namespace tilestep::compile
