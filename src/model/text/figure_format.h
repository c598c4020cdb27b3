// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/figure.h"

namespace tilestep::model {

/// How a figure in a lesson's text is written.
struct FigureFormat {
  enum class Kind : uint8_t {
    plain,        ///< Whole numbers in groups of three digits, others with three digits.
    digits,       ///< So many significant digits.
    decimals,     ///< So many behind the point.
    unit,         ///< As everywhere in the window: three digits and a prefix.
    wholePercent  ///< "88 %" of 0.88.
  };
  Kind kind = Kind::plain;
  int places = 0;  ///< Of digits and decimals.
  Unit unit = Unit::none;
};

/// "", "2 digits", "1 decimal", "%", "whole %", "FLOP/s", "B/s", "B", "s", "FLOP/B", "Hz"; nothing
/// for anything else.
[[nodiscard]] std::optional<FigureFormat> figureFormat(std::string_view words);
/// What there is, for an error.
[[nodiscard]] std::string figureFormats();

[[nodiscard]] std::string written(double value, const FigureFormat& format);
/// With all digits that a person could have worked out, ten at most: "1,024", "0.6875".
[[nodiscard]] std::string writtenInFull(double value);

}  // namespace tilestep::model
