// SPDX-License-Identifier: Apache-2.0
#include "base/text_lines.h"

namespace tilestep {

std::string lineOf(std::string_view text, int line) {
  for (int i = 1; i < line; ++i) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  if (line < 1) return {};
  std::string_view found = text.substr(0, text.find('\n'));
  if (!found.empty() && found.back() == '\r') found.remove_suffix(1);
  return std::string(found);
}

}  // namespace tilestep
