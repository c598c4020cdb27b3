// SPDX-License-Identifier: Apache-2.0
#include "program/launch_brackets.h"

#include <algorithm>
#include <string_view>

namespace tilestep::program {
namespace {

/// The start of three brackets in a row, the last of which may be separate; npos if there are none.
size_t findThree(std::string_view text, char bracket, size_t from) {
  const std::string two(2, bracket);
  for (size_t at = text.find(two, from); at != text.npos; at = text.find(two, at + 1)) {
    const size_t third = text.find_first_not_of(" \t", at + 2);
    if (third != text.npos && text[third] == bracket) return at;
  }
  return text.npos;
}

void join(std::string& text, size_t at) {
  const size_t third = text.find_first_not_of(" \t", at + 2);
  std::swap(text[at + 2], text[third]);
}

}  // namespace

std::string withJoinedBrackets(std::string text) {
  for (size_t open = findThree(text, '<', 0); open != text.npos;
       open = findThree(text, '<', open + 3)) {
    const size_t close = findThree(text, '>', open + 3);
    if (close == text.npos) break;
    const size_t last = text.find_first_not_of(" \t", close + 2);
    const size_t next = text.find_first_not_of(" \t\r\n", last + 1);
    const bool isLaunch = text.find(';', open) > close && next != text.npos && text[next] == '(';
    if (!isLaunch) continue;
    join(text, open);
    join(text, close);
  }
  return text;
}

}  // namespace tilestep::program
