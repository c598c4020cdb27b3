// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "compile/compiler.h"

namespace tilestep::compile {

/// The first error in a compiler's log. Reads NVRTC's "file(line): error: message" and clang's
/// "file:line:column: error: message". The source line comes from `source`. NVRTC reports no
/// column, so the column is that of the quoted text, if it occurs once in the line.
[[nodiscard]] std::optional<Error> firstError(std::string_view log, const KernelSource& source);

/// Whether NVRTC's first error rejects host code: functions (including constexpr and member
/// functions), lambdas or variables.
[[nodiscard]] bool findsHostCode(std::string_view log);

/// The first error of the log. If there is none, the first error without a position, or else
/// `otherwise`, as the reason why the compiler failed.
[[nodiscard]] Error compileError(std::string_view log, const KernelSource& source,
                                 const std::string& compiler, const std::string& otherwise);

/// If the error is in the code that was added to the source to instantiate templates, moves it to
/// the front-matter line that names the instance.
[[nodiscard]] Error placedInstance(Error error, const CompileRequest& request);

}  // namespace tilestep::compile
