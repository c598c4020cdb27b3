// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tilestep {

/// The unit of a figure.
enum class Unit {
  none,
  count,
  bytes,
  seconds,
  bytesPerSecond,
  flop,
  flopPerSecond,
  flopPerByte,
  hertz,
  ratio,  ///< 1.0 is 100 %.
};

/// The origin of a figure, which the window shows for every figure.
enum class Origin {
  measured,  ///< timed on a GPU
  counted,   ///< counted by the device itself or by the interpreter
  computed,  ///< from a formula
};

/// A number with its unit and its origin.
struct Figure {
  double value = 0;
  Unit unit = Unit::none;
  Origin origin = Origin::computed;
  std::string from;  ///< Device and date, or the formula; the tooltip shows it.
};

/// Three significant digits and an SI prefix: "8.12 TFLOP/s", "134 M", "5.0 %".
[[nodiscard]] std::string toText(const Figure& figure);
[[nodiscard]] std::string toText(double value, Unit unit);
[[nodiscard]] std::string_view toText(Origin origin);

/// An integer in groups of three digits: 134,217,728.
[[nodiscard]] std::string grouped(uint64_t value);
/// An estimated duration: "40 s", "3 min", "2 h 5 min".
[[nodiscard]] std::string roughly(double seconds);
/// "1 thread", "1,024 threads".
[[nodiscard]] std::string plural(uint64_t count, const std::string& one);

}  // namespace tilestep
