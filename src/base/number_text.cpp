// SPDX-License-Identifier: Apache-2.0
#include "base/number_text.h"

namespace tilestep {

std::from_chars_result readDouble(const char* first, const char* last, double& value) {
  return std::from_chars(first, last, value);
}

}  // namespace tilestep
