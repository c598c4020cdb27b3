// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// Text that somebody else wrote (a kernel, its printf, a compiler, a worker, a file's name), made
/// safe for a terminal, a log and the window.
namespace tilestep {

/// Everything that a terminal would act on, or that changes the order in which text is read, is
/// spelled out: control characters as "\x1b", marks for the direction of writing as "\u202e", bytes
/// that are no UTF-8 as "\xff". Ends of lines ("\r\n" is one) and tabs stay. A JSON text stays the
/// same.
[[nodiscard]] std::string printable(std::string_view text);

/// The same on one line: an end of a line is spelled out as "\n", a tab is a blank.
[[nodiscard]] std::string printableLine(std::string_view text);

/// `printable`, with `indent` before each line but the first, so that no line of it can be taken
/// for one of ours.
[[nodiscard]] std::string printableBlock(std::string_view text, std::string_view indent);

/// One word of a shell's command line: the text, quoted where a shell would not take it as it is.
[[nodiscard]] std::string shellWord(const std::string& text);

}  // namespace tilestep
