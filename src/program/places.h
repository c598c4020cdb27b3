// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

#include "program/record.h"

namespace tilestep::program {

/// The lines of the author's text that code lies in, by the program's own debugging information;
/// binutils' addr2line reads it. `returns`: return addresses of calls, less the load address. An
/// address that nothing is known of is missing.
[[nodiscard]] std::map<uint64_t, Place> placesOf(const std::filesystem::path& program,
                                                 const std::vector<uint64_t>& returns);

}  // namespace tilestep::program
