// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace tilestep {

/// Whether it is one of 0 to 9 in any locale.
[[nodiscard]] constexpr bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// The number that the whole text is, as std::from_chars reads it: no blanks, no sign of a positive
/// number, the same in every locale. Nothing for any other text, or if the number does not fit.
/// `base` is for whole numbers.
template <class Number>
[[nodiscard]] std::optional<Number> numberIn(std::string_view text, int base = 10) {
  Number value{};
  const char* end = text.data() + text.size();
  std::from_chars_result read{};
  if constexpr (std::is_integral_v<Number>)
    read = std::from_chars(text.data(), end, value, base);
  else
    read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
  return value;
}

/// The shortest text that gives exactly this finite number when it is read.
[[nodiscard]] inline std::string shortestText(double value) {
  std::array<char, 32> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), written.ptr};
}

}  // namespace tilestep
