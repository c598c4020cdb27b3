// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tilestep::fuzz {

/// Runs every kernel of a PTX text in the interpreter, on small buffers, with counters and a trace,
/// on every instruction set that this CPU has. Says what went wrong, or nothing: text that is
/// refused, faults or does not end is fine; different outputs on different instruction sets, or an
/// error without a message, are not.
[[nodiscard]] std::string checkInterpreter(std::string_view text);

/// Runs randomProgram(number): 64 threads as one block and as 64 blocks of one thread, traced and
/// not, on every instruction set. All must leave the same bytes. Says what differs and for which
/// lines of the program, or nothing.
[[nodiscard]] std::string checkRandomProgram(uint64_t number);

}  // namespace tilestep::fuzz
