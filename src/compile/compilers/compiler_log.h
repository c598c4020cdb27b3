// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "compile/compiler.h"

namespace tilestep::compile {

/// The first error in a compiler's log. Reads NVRTC's "file(line): error: message" and clang's
/// "file:line:column: error: message". The source line comes from the request's own text. NVRTC
/// reports no column, so the caret is placed under the text that the message quotes if it occurs
/// once in the line.
[[nodiscard]] std::optional<Error> firstError(std::string_view log, const KernelSource& source);

/// Whether NVRTC's first error rejects host code: functions, including constexpr ones and members
/// of classes, lambdas and variables.
[[nodiscard]] bool findsHostCode(std::string_view log);

/// The first error or, if the log contains none, an Error that says how the compiler failed.
[[nodiscard]] Error compileError(std::string_view log, const KernelSource& source,
                                 const std::string& compiler, const std::string& otherwise);

/// Relocates an error in the text that is added to the source to make template instances: it is
/// reported at the front-matter line of the entry that requests the instance.
[[nodiscard]] Error placedInstance(Error error, const CompileRequest& request);

}  // namespace tilestep::compile
