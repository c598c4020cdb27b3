// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

namespace tilestep {

/// toml::parse() for untrusted input: also throws a toml::parse_error if whereTooDeep() finds
/// excessive nesting. toml++ is a heavy header: include this file only in .cpp files.
[[nodiscard]] toml::table parseToml(std::string_view text, const std::string& file = {});

}  // namespace tilestep
