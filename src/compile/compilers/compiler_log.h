// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "compile/compiler.h"

namespace tilestep::compile {

/// The first error in a compiler's log. Reads NVRTC's "file(line): error: message" and clang's
/// "file:line:column: error: message". The source line is taken from the request's own text; NVRTC
/// names no column, so the caret goes under what its message quotes where that stands once there.
[[nodiscard]] std::optional<Error> firstError(std::string_view log, const KernelSource& source);

/// Whether NVRTC's first error is that there is code of the host, which it does not take:
/// functions, also constexpr ones and members of classes, lambdas and variables.
[[nodiscard]] bool findsHostCode(std::string_view log);

/// The first error, or where the log holds none an Error that says the compiler failed and how.
[[nodiscard]] Error compileError(std::string_view log, const KernelSource& source,
                                 const std::string& compiler, const std::string& otherwise);

/// An error in the text that a compiler is given beside the source, to make a template's instances:
/// told of the entry that asks for the instance, at its line of the front matter.
[[nodiscard]] Error placedInstance(Error error, const CompileRequest& request);

}  // namespace tilestep::compile
