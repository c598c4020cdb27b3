// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilestep::gfx {

/// A number as SVG and PDF write it, with at most so many decimals. Of a length, two are a
/// hundredth of a pixel. Infinite and missing values become 0, and lengths far outside of every
/// picture are cut.
[[nodiscard]] std::string number(float value, int decimals = 2);

}  // namespace tilestep::gfx
