// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilestep::compile {

/// A #line directive: messages refer to `path`, and count the following lines from 1.
inline std::string lineDirective(const std::string& path) {
  std::string text = "#line 1 \"";
  for (const char c : path) {
    if (c == '"' || c == '\\') text += '\\';
    text += c == '\n' ? ' ' : c;
  }
  return text + "\"\n";
}

}  // namespace tilestep::compile
