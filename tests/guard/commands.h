// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tilestep::tests {

class HeadlessWindow;

/// The words of a command, such as `pin rename 1 "before the change"`; quotes keep one word
/// together.
[[nodiscard]] std::vector<std::string> wordsOf(const std::string& text);

/// Does in the window what a user does with the mouse and cannot do with a key. Only this function
/// calls the session's own functions and writes the window's own state. Returns an empty string, or
/// why it is impossible.
[[nodiscard]] std::string doCommand(HeadlessWindow& window, const std::vector<std::string>& words);

}  // namespace tilestep::tests
