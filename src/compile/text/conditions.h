// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tilestep::compile {

struct DoubtfulCondition {
  std::string name;
  int line = 0;  ///< Of the #if, from 1.
};

/// The first condition of the preprocessor that may be true for nvcc and false here, or the other
/// way round, because it asks for a name that nvcc or a header of the host defines: CUDA_VERSION,
/// __NVCC__, RAND_MAX. Only conditions count that decide code or macros, and names that the text
/// does not define itself. Nothing where there is none.
[[nodiscard]] std::optional<DoubtfulCondition> doubtfulCondition(std::string_view text);

}  // namespace tilestep::compile
