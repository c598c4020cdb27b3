// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

/// Facts about the installed CUDA Toolkit, unless $TILESTEP_TOOLKIT hides it.
namespace tilestep::support {

/// The path of a toolkit program such as "ptxas"; empty if it is missing.
std::string toolkitProgram(const std::string& name);

/// Why a toolkit library such as "libnvrtc.so" is missing, for the message of a skipped test.
/// Absent if the library exists; a test that cannot use it then fails.
std::optional<std::string> whyNoToolkitLibrary(const std::string& name);

/// The message for GTEST_SKIP() if the compiler "nvrtc" or "clang" may be absent and is; else
/// empty. NVRTC may be absent; clang may not, because `./dev test` requires its package.
std::string skipWithout(const std::string& compiler);

}  // namespace tilestep::support
