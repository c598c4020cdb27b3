// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

/// The checks of an input by test_fuzz and the libFuzzer programs (docs/measurements/fuzzing.md).
/// Each returns an empty string, or the program's mistake. A refusal must have a reason.
namespace tilestep::fuzz {

/// Opens a session whose worker's answers are changed by `orders` (answer_changes.h), steps through
/// the result, and prints each accepted result as the commands do.
std::string checkAnswers(std::span<const std::byte> orders);

/// Each byte of `orders` selects a piece of a source; the pieces open, close and hide comments and
/// literals. If the program accepts the source, no installed compiler may read a file outside the
/// include folders that a line of it names.
std::string checkCompilers(std::string_view orders);

/// Reads the text as an exercise: its bounds hold, and its launches are legal.
std::string checkExercise(std::string_view text);

/// Reads bytes as a stream between a worker and its client, in one piece, in many pieces and after
/// noise, and as the body of a message. Everything that decodes is encoded again.
std::string checkFrames(std::span<const std::byte> stream);

/// Reads the text as a kernel with front matter, or, if it does not begin with a comment, as front
/// matter beside a kernel. Its plan with the defaults is within the device's limits.
std::string checkFrontMatter(std::string_view text);

/// Reads the text as an expression of front matter: it has one finite value, or an error.
std::string checkExpression(std::string_view text);

/// Reads the text as a lab of the shipped kernels and lessons: its format's bounds hold.
std::string checkLab(std::string_view text);

/// Reads the text as a lesson: the texts of its steps are filled in, and its questions accept any
/// answer.
std::string checkLesson(std::string_view text);

/// Reads the text as the file of pinned runs. Writing and reading it again gives the same runs,
/// which can be compared and renamed.
std::string checkPins(std::string_view text);

/// Parses and analyses the text, prints it and parses that again.
std::string checkPtx(std::string_view text);

/// Reads `bytes` as a recording. Writing and reading it again gives the same recording.
std::string checkRecordingBytes(std::span<const std::byte> bytes);
/// Checks an input that begins as a recording, with its checksum corrected. Any other input chooses
/// changes of a complete recording (recording_changes.h).
std::string checkRecordingInput(std::span<const std::byte> input);

/// The bytes with a correct checksum, so that damage reaches the code after the checksum's check.
std::string withChecksum(std::span<const std::byte> bytes);

/// An error must have a reason, and no location outside of the text. `placed`: it must have a
/// location.
std::string checkRefusal(const Error& error, std::string_view text, bool placed = false);

/// Reads the text as the window's state. Writing and reading it again gives the same state.
std::string checkSaved(std::string_view text);

/// Runs every kernel of a PTX text in the interpreter, on small buffers, with counters and a trace.
/// The outputs are the same on every instruction set of this CPU.
std::string checkInterpreter(std::string_view text);

/// Runs randomProgram(number) with 64 threads as one block and as 64 blocks of one thread, traced
/// and untraced, on every instruction set. All must give the same bytes.
std::string checkRandomProgram(uint64_t number);

/// Reads the text as a CUDA C++ program: splits it into tokens, judges its directives, and searches
/// for kernels. foreignDirective must find nothing in an accepted text.
std::string checkText(std::string_view text);

/// The first directive or word in `text` that includes or tests for a file other than a device's
/// header; empty if there is none. Uses simple passes, and finds nothing in a text that is too
/// complicated for them, such as one with an unterminated raw string.
std::string foreignDirective(std::string_view text);

}  // namespace tilestep::fuzz
