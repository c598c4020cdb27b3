// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilestep::compile {

/// The program's text without comments, whitespace and the bodies of device functions: two texts
/// with equal parts differ only in device code. Accepts any text.
[[nodiscard]] std::string hostPart(std::string_view source);

}  // namespace tilestep::compile
