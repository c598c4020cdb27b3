// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/archive.h"
#include "base/result.h"

/// A user's files as TOML. A field that the text lacks keeps the value that it had.
namespace tilestep::model {

/// The version that a file begins with; any other is an error.
void describeVersion(Archive& io, int version);

/// TOML, behind `comment`. `body` describes copies: it may change them.
[[nodiscard]] std::string toTomlText(const std::string& comment, const Archive::Body& body);

/// Reads text from anywhere. Invalid TOML, an unknown key, a wrong type and a value out of its
/// range are errors, with file, line and reason; of several, the first that `body` comes to. After
/// an error the values that were read must not be used.
Status readToml(std::string_view text, const std::string& file, const Archive::Body& body);

}  // namespace tilestep::model
