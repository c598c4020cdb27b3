// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tilestep::ui {

/// What is wrong with the text of the frame that ImGui made last: glyphs that a clip rectangle cuts
/// where no scrollbar leads on, and glyphs of one window that lie on each other. A line each, with
/// the window and the text around; empty: all of it can be read.
[[nodiscard]] std::vector<std::string> unreadableText();

}  // namespace tilestep::ui
