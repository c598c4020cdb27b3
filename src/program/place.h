// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace tilestep::program {

/// A place in the program's source text.
struct Place {
  std::string file;
  uint32_t line = 0;  ///< 0 if unknown.
};

}  // namespace tilestep::program
