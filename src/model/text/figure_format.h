// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/figure.h"

namespace tilestep::model {

/// The format of a figure in a lesson's text.
struct FigureFormat {
  enum class Kind : uint8_t {
    plain,   ///< Whole numbers with digits in groups of three. Other numbers have three significant
             ///< digits.
    digits,  ///< `places` significant digits.
    decimals,     ///< `places` digits after the decimal point.
    unit,         ///< Three digits, an SI prefix and the unit, as everywhere in the window.
    wholePercent  ///< "88 %" for 0.88.
  };
  Kind kind = Kind::plain;
  int places = 0;  ///< For `digits` and `decimals`.
  Unit unit = Unit::none;
};

/// "", "2 digits", "1 decimal", "%", "whole %", "FLOP/s", "B/s", "B", "s", "FLOP/B", "Hz"; absent
/// for anything else.
[[nodiscard]] std::optional<FigureFormat> figureFormat(std::string_view words);
/// The known formats, for an error message.
[[nodiscard]] std::string figureFormats();

[[nodiscard]] std::string written(double value, const FigureFormat& format);
/// The value with all digits that could be computed by hand, at most ten: "1,024", "0.6875".
[[nodiscard]] std::string writtenInFull(double value);

}  // namespace tilestep::model
