// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tilestep::compile {

/// A first version of the front matter for a CUDA C++ program, to be read and corrected by a
/// person: parameters, sizes and launch as far as the text shows them, with a comment at each
/// guess. `entry` chooses one of several kernels; empty: the first that is launched, else the
/// first. Always valid TOML of known keys. Errors: no kernel, no such kernel, a parameter that
/// Tilestep cannot fill, more than 1 MiB of text.
Result<std::string> draftFrontMatter(std::string_view source, std::string_view entry = {});

}  // namespace tilestep::compile
