// SPDX-License-Identifier: Apache-2.0
// base/number_text.h for a standard library whose std::from_chars reads no floating-point numbers.
#include "base/number_text.h"

#include <array>
#include <cmath>
#include <cstdlib>

namespace tilestep {

std::from_chars_result readDouble(const char* first, const char* last, double& value) {
  // std::strtod also accepts blanks, a plus sign and hexadecimal numbers.
  const char* digits = first != last && *first == '-' ? first + 1 : first;
  const bool isHex =
      last - digits > 1 && digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  if (digits == last || *digits == ' ' || *digits == '+' || *digits == '-')
    return {first, std::errc::invalid_argument};
  if (isHex) {
    value = *first == '-' ? -0.0 : 0.0;
    return {digits + 1, std::errc()};
  }
  const std::string text(first, last);
  char* end = nullptr;
  const double read = std::strtod(text.c_str(), &end);
  if (end == text.c_str()) return {first, std::errc::invalid_argument};
  const char* stop = first + (end - text.c_str());
  if (std::isinf(read) && isDigit(*digits)) return {stop, std::errc::result_out_of_range};
  value = read;
  return {stop, std::errc()};
}

}  // namespace tilestep
