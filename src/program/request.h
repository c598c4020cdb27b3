// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "compile/program_source.h"
#include "lab/devices/device_file.h"
#include "program/run.h"

namespace tilestep::program {

/// The known device that the interpreter imitates if none was chosen.
inline constexpr char kUsualDevice[] = "nvidia-h200";

/// Tilestep's files for compiling programs. `home` is the folder with Tilestep's assets.
[[nodiscard]] Tools toolsIn(const std::filesystem::path& home);

/// A plain run of the program in the interpreter, which imitates `device`. `threads` is the
/// interpreter's thread count; 0 for one per core.
[[nodiscard]] RunRequest requestOf(const compile::ProgramSource& program, const Tools& tools,
                                   const lab::DeviceFile& device, unsigned threads);

}  // namespace tilestep::program
