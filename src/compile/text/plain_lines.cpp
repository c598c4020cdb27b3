// SPDX-License-Identifier: Apache-2.0
#include "compile/text/plain_lines.h"

namespace tilestep::compile {

std::string withPlainLines(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\v\f";
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (end != std::string_view::npos)
      while (line.ends_with('\r')) line.remove_suffix(1);
    const size_t last = line.find_last_not_of(kBlanks);
    if (last != std::string_view::npos && line[last] == '\\') line = line.substr(0, last + 1);
    plain += line;
    if (end == std::string_view::npos) break;
    plain += '\n';
    text.remove_prefix(end + 1);
  }
  return plain;
}

}  // namespace tilestep::compile
