// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tilestep::tests {

class HeadlessWindow;

/// The words of a command, such as `pin rename 1 "before the change"`. Quotes enclose one word.
[[nodiscard]] std::vector<std::string> wordsOf(const std::string& text);

/// Does what a person does with the mouse, if no key does it. Only this function calls the session
/// directly and writes the window's state. Returns why it failed, or an empty string.
[[nodiscard]] std::string doCommand(HeadlessWindow& window, const std::vector<std::string>& words);

}  // namespace tilestep::tests
