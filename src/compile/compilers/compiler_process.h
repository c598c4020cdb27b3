// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "compile/compiler.h"

namespace tilestep::compile {

/// NVRTC in a separate process that runs `program`, whose main() must call serveIfCompiler(). The
/// process is started now, and again if it crashed or was stopped because of a time limit, a
/// cancellation or its memory limit. Null if there is no NVRTC; an Error if it fails to start.
Result<std::unique_ptr<Compiler>> openNvrtcProcess(const std::string& program);

/// If the arguments come from openNvrtcProcess(), serves compile requests on standard input and
/// output until the input ends, and returns the exit status. Before the first compile, the process
/// confines itself to the compiler's folders if the system supports this (base/process/confine.h).
/// Nullopt for any other arguments.
std::optional<int> serveIfCompiler(int argc, char** argv);

}  // namespace tilestep::compile
