// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

/// Facts about the installed CUDA Toolkit, unless $TILESTEP_TOOLKIT hides it.
namespace tilestep::support {

/// The path of one of its programs, "ptxas"; empty where it is not there.
std::string toolkitProgram(const std::string& name);

/// Why there is no such library, "libnvrtc.so", for a skipped test to print. Nothing where there is
/// one: then a test that cannot use it fails.
std::optional<std::string> whyNoToolkitLibrary(const std::string& name);

/// Empty, or the words for GTEST_SKIP() where the compiler "nvrtc" or "clang" may be absent. NVRTC
/// may; clang may not, for it is among the packages that `./dev test` needs.
std::string skipWithout(const std::string& compiler);

}  // namespace tilestep::support
