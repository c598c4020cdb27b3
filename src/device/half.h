// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tilestep::device {

/// The nearest IEEE binary16 number, ties to even; overflow gives infinity.
[[nodiscard]] uint16_t toF16(float value);
/// The nearest bfloat16 number, ties to even.
[[nodiscard]] uint16_t toBf16(float value);

}  // namespace tilestep::device
