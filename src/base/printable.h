// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// Makes untrusted text (a kernel's source or printf, a compiler's output, a worker's message, a
/// file name) safe for a terminal, a log and the window.
namespace tilestep {

/// Escapes everything that a terminal would act on or that changes the reading order: control
/// characters as "\x1b", direction marks as "\u202e", invalid UTF-8 as "\xff". Newlines and tabs
/// stay; "\r\n" becomes a newline. JSON text keeps its meaning.
[[nodiscard]] std::string printable(std::string_view text);

/// Like printable(), but on one line: a newline becomes "\n", a tab becomes a blank.
[[nodiscard]] std::string printableLine(std::string_view text);

/// Like printable(), with `indent` before each line but the first, so that no line can be mistaken
/// for Tilestep's own output.
[[nodiscard]] std::string printableBlock(std::string_view text, std::string_view indent);

/// The text as one word of a shell command, quoted if necessary.
[[nodiscard]] std::string shellWord(const std::string& text);

}  // namespace tilestep
