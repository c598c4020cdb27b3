// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

#include "base/result.h"

namespace tilestep {

/// Parses untrusted input; excessive nesting (whereTooDeep()) is an Error, too. An Error's `where`
/// is the place in `text`. toml++ is a heavy header: include this file only in .cpp files.
Result<toml::table> parseToml(std::string_view text, const std::string& file = {});

}  // namespace tilestep
