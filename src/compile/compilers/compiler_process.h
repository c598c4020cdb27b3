// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "compile/compiler.h"

namespace tilestep::compile {

/// NVRTC in a separate process, served by `program` (serveIfCompiler). The process is started at
/// the first use, and again after it crashed or was stopped by a deadline, a cancellation or its
/// memory limit. Null if there is no NVRTC; an Error if the process does not report whether there
/// is one.
Result<std::unique_ptr<Compiler>> openNvrtcProcess(const std::string& program);

/// If the arguments are those of such a process, serves compiles on standard input and output until
/// the input ends, and returns the exit status. Before the first compile the process confines
/// itself to the compiler's folders, if the system supports this (base/confine.h). Nullopt for any
/// other arguments.
std::optional<int> serveIfCompiler(int argc, char** argv);

}  // namespace tilestep::compile
