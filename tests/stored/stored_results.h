// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "support/tool.h"

/// What NVRTC 13.0 made of the kernels that a test program shows, so that what it compares depends
/// on no compiler: tests/stored/NAME.gz for the program test_NAME. `test_NAME --remake` asks the
/// installed NVRTC 13.0 again and stores its results after the last test.
namespace tilestep::tests {

/// The variables, as NAME=VALUE, with which a worker finds the results and no other compiler.
/// Unpacks them for this process when it is first called. Throws std::runtime_error if the file is
/// damaged. With --remake, throws where another compiler than kStoredCompiler is installed.
[[nodiscard]] const support::Words& storedCompiler();

/// The compiler's name and version, as the program gives it.
inline constexpr const char* kStoredCompiler = "nvrtc 13.0";

/// The compiler's results in a cache folder as one compressed file, and back. Errors are
/// std::runtime_error.
void packFolder(const std::filesystem::path& folder, const std::filesystem::path& pack);
void unpackFolder(const std::filesystem::path& pack, const std::filesystem::path& folder);

}  // namespace tilestep::tests
