// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace tilestep::grade {

/// The beginning of each page, up to its body. Pages are self-contained and run no script. `style`
/// is appended to the style that all pages share.
[[nodiscard]] std::string pageHead(const std::string& title, const std::string& style = {});

/// "1 hand-in", "61 hand-ins"
[[nodiscard]] std::string handInsText(size_t count);

}  // namespace tilestep::grade
