// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tilestep::compile {

/// The program's source without comments, whitespace and the bodies of device functions. If two
/// sources have equal host parts, only their device code differs.
[[nodiscard]] std::string hostPart(std::string_view source);

}  // namespace tilestep::compile
