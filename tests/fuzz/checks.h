// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

/// The checks that test_fuzz and the libFuzzer programs (docs/measurements/fuzzing.md) make of an
/// input. Each returns an empty string, or what the program did wrong. A refusal must have a
/// reason.
namespace tilestep::fuzz {

/// Opens a session whose worker answers with values that `orders` change (answer_changes.h), walks
/// through what it shows, and prints each accepted result as the commands do.
std::string checkAnswers(std::span<const std::byte> orders);

/// Each byte of `orders` names a piece of a text; the pieces open, close and hide comments and
/// literals. Where the program accepts the text, no installed compiler may read the file outside
/// the include folders that a line of it names.
std::string checkCompilers(std::string_view orders);

/// Reads the text as an exercise: its bounds hold, and its launches are legal.
std::string checkExercise(std::string_view text);

/// Reads bytes as a stream between a worker and its client, in one piece and in many, behind noise,
/// and as the body of a message. Everything that decodes is encoded again.
std::string checkFrames(std::span<const std::byte> stream);

/// Reads the text as a kernel with front matter, or, where it does not begin with a comment, as
/// front matter beside a kernel. Its plan with the defaults is within the device's limits.
std::string checkFrontMatter(std::string_view text);

/// Reads the text as an expression of front matter: it has one finite value, or an error.
std::string checkExpression(std::string_view text);

/// Reads the text as a lab of the shipped kernels and lessons: its format's bounds hold.
std::string checkLab(std::string_view text);

/// Reads the text as a lesson: the texts of its steps are filled in, and its questions accept any
/// answer.
std::string checkLesson(std::string_view text);

/// Reads the text as the file of pinned runs. It comes back from writing and reading, and its runs
/// can be compared and named.
std::string checkPins(std::string_view text);

/// Parses and analyses the text, prints it and parses that again.
std::string checkPtx(std::string_view text);

/// Reads `bytes` as a recording. It comes back from writing and reading.
std::string checkRecordingBytes(std::span<const std::byte> bytes);
/// The same of an input that begins as a recording, with its checksum corrected; any other input
/// chooses changes of a complete recording (recording_changes.h).
std::string checkRecordingInput(std::span<const std::byte> input);

/// The bytes with a correct checksum, so that damage reaches the code behind it.
std::string withChecksum(std::span<const std::byte> bytes);

/// An error has a reason, and no place outside of the text. `placed`: it must have a place.
std::string checkRefusal(const Error& error, std::string_view text, bool placed = false);

/// Reads the text as the window's state. It comes back from writing and reading.
std::string checkSaved(std::string_view text);

/// Runs every kernel of a PTX text in the interpreter, on small buffers, with counters and a trace.
/// The outputs are the same on every instruction set of this CPU.
std::string checkInterpreter(std::string_view text);

/// Runs randomProgram(number) with 64 threads as one block and as 64 blocks of one thread, traced
/// and not, on every instruction set: all give the same bytes.
std::string checkRandomProgram(uint64_t number);

/// Reads the text as a CUDA C++ program: cuts it into tokens, judges its directives, looks for
/// kernels. In an accepted text foreignDirective finds nothing.
std::string checkText(std::string_view text);

/// The first directive or word in `text` that brings in a file other than a device's header, or
/// asks for one; empty: there is none. It reads in plain passes, and finds nothing in a text that
/// is not plain enough for them, such as one with a raw string that has no end.
std::string foreignDirective(std::string_view text);

}  // namespace tilestep::fuzz
