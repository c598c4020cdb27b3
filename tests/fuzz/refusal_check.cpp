// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "fuzz/checks.h"

namespace tilestep::fuzz {

std::string checkRefusal(const Error& error, std::string_view text, bool placed) {
  if (error.message.empty()) return "a refusal without a reason";
  if (!error.where) return placed ? "a refusal without a place: " + error.message : "";
  // A line may end in a carriage return, a line feed, or both.
  const auto lines = 1 + std::ranges::count(text, '\n') + std::ranges::count(text, '\r');
  if (error.where->line >= (placed ? 1 : 0) && error.where->line <= lines) return {};
  return "a refusal at line " + std::to_string(error.where->line) + " of " + std::to_string(lines) +
         ": " + error.message;
}

}  // namespace tilestep::fuzz
