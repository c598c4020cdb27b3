// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "compile/kernel.h"

namespace tilestep::checkers {

/// One change of a kernel's source that a student could have made.
struct Mutant {
  std::string what;  ///< "barrier removed", "< to <=", "condition dropped", "index + 1", …
  int line = 0;
  std::string before, after;  ///< The changed line before and after.
  compile::KernelSource source;
};

/// One mutant for each barrier or fence removed, each comparison moved by one, each half of a
/// conjunction dropped, and each index moved by one. Comments, directives and declarations stay
/// unchanged.
[[nodiscard]] std::vector<Mutant> mutantsOf(const compile::KernelSource& source);

}  // namespace tilestep::checkers
