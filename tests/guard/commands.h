// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tilestep::tests {

class HeadlessWindow;

/// The words of a command, such as `pin rename 1 "before the change"`: quotes hold one together.
[[nodiscard]] std::vector<std::string> wordsOf(const std::string& text);

/// Does in the window what a person does with the mouse, where no key does it. Here alone the guard
/// calls the session's own functions and writes the window's own state. Empty, or why it cannot be
/// done.
[[nodiscard]] std::string doCommand(HeadlessWindow& window, const std::vector<std::string>& words);

}  // namespace tilestep::tests
