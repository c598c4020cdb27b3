// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// Text from elsewhere (a kernel, its printf, a compiler, a worker, a file's name), made safe for a
/// terminal, a log and the window.
namespace tilestep {

/// Everything that a terminal would act on, or that changes the order of reading, is
/// spelled out: control characters as "\x1b", marks for the direction of writing as "\u202e", bytes
/// that are no UTF-8 as "\xff". Newlines ("\r\n" is one) and tabs stay. A JSON text stays
/// unchanged.
[[nodiscard]] std::string printable(std::string_view text);

/// The same on one line: a newline is spelled out as "\n", a tab becomes a blank.
[[nodiscard]] std::string printableLine(std::string_view text);

/// `printable`, with `indent` before each line but the first, so that no line can be mistaken
/// for one of ours.
[[nodiscard]] std::string printableBlock(std::string_view text, std::string_view indent);

/// The text as one word of a shell's command line, quoted if necessary.
[[nodiscard]] std::string shellWord(const std::string& text);

}  // namespace tilestep
