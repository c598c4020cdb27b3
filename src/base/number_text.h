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

/// Unlike std::isdigit, independent of the locale.
[[nodiscard]] constexpr bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// std::from_chars for a double.
[[nodiscard]] std::from_chars_result readDouble(const char* first, const char* last, double& value);

/// Parses the whole string with std::from_chars: no blanks, no plus sign, independent of the
/// locale. Nullopt if it is not a number or does not fit. `base` applies to integers only.
template <class Number>
[[nodiscard]] std::optional<Number> numberIn(std::string_view text, int base = 10) {
  Number value{};
  const char* end = text.data() + text.size();
  std::from_chars_result read{};
  if constexpr (std::is_integral_v<Number>)
    read = std::from_chars(text.data(), end, value, base);
  else
    read = readDouble(text.data(), end, value);
  if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
  return value;
}

/// The shortest string from which exactly this finite number can be read back.
[[nodiscard]] inline std::string shortestText(double value) {
  std::array<char, 32> text{};
  const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), written.ptr};
}

}  // namespace tilestep
