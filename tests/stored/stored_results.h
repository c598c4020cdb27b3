// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/tool.h"

/// The PTX that NVRTC 13.0 made of the kernels that test_guard, test_headless and test_pictures show,
/// so that their expectations depend on no installed compiler. Their `--remake` asks the installed
/// NVRTC 13.0 again and adds its results to tests/stored/results.tar.xz after the last test; to be
/// rid of results that no program uses any more, delete that file first and remake all three.
namespace tilestep::tests {

/// The variables, as NAME=VALUE, with which a worker finds the results and no other compiler.
/// Unpacks them for this process when it is first called. Throws std::runtime_error where that
/// fails, and with --remake where the installed compiler is not kStoredCompiler.
[[nodiscard]] const support::Words& storedCompiler();

/// The compiler's name and version, as the program gives it.
inline constexpr const char* kStoredCompiler = "nvrtc 13.0";

}  // namespace tilestep::tests
