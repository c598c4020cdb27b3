// SPDX-License-Identifier: Apache-2.0
#include "base/process/shortage.h"

#include <algorithm>
#include <array>

namespace tilestep {

bool isResourceExhaustion(std::string_view message) {
  constexpr std::array kWords{"annot allocate memory",     "out of memory",
                              "Memory allocation failure", "std::bad_alloc",
                              "failed to map segment",     "cannot map zero-fill pages",
                              "Too many open files",       "Resource temporarily unavailable",
                              "Input/output error",        "No space left on device",
                              "Disk quota exceeded"};
  return std::ranges::any_of(
      kWords, [&](const char* words) { return message.find(words) != std::string_view::npos; });
}

}  // namespace tilestep
