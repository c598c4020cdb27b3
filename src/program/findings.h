// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "program/record.h"
#include "program/service.h"

namespace tilestep::program {

/// Puts what was served into the run: gives calls, launches and findings their places in the text,
/// memory its names, and adds what only the whole run shows, such as errors that nobody asked for.
void takeServed(Served served, const std::filesystem::path& program, ProgramRun& run);

}  // namespace tilestep::program
