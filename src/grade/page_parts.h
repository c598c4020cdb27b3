// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilestep::grade {

/// The beginning of each of our pages, up to its body: no other file is needed, and no script is
/// run. `style`: what the page needs beside the style that all have.
[[nodiscard]] std::string pageHead(const std::string& title, const std::string& style = {});

}  // namespace tilestep::grade
