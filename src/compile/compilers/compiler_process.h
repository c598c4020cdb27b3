// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "compile/compiler.h"

namespace tilestep::compile {

/// NVRTC in a process of its own, which `program` serves (serveIfCompiler). That process is started
/// when it is first needed, and again after one that was stopped or crashed: by a deadline, by
/// cancelling, by its limit of memory. Null where there is no NVRTC; an Error where the process
/// does not say whether there is one.
Result<std::unique_ptr<Compiler>> openNvrtcProcess(const std::string& program);

/// If the arguments are those that such a process is started with, serves compiles on standard
/// input and output until the input ends, and returns the exit status. Before the first compile the
/// process confines itself to the compiler's folders, where the system can (base/confine.h).
/// Nothing for any other arguments.
std::optional<int> serveIfCompiler(int argc, char** argv);

}  // namespace tilestep::compile
