// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

namespace tilestep {

/// toml::parse() for untrusted texts: it also throws a toml::parse_error if
/// whereTooDeep() finds a place. toml++ is a heavy header: include this in .cpp files alone.
[[nodiscard]] toml::table parseToml(std::string_view text, const std::string& file = {});

}  // namespace tilestep
