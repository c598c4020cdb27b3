// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/archive.h"
#include "base/result.h"

/// User files as TOML. A field that is missing in the file keeps its value.
namespace tilestep::model {

/// The version at the beginning of a file; any other version is an error.
void describeVersion(Archive& io, int version);

/// `comment` followed by the TOML. `body` describes copies, because it may change them.
[[nodiscard]] std::string toTomlText(const std::string& comment, const Archive::Body& body);

/// Parses untrusted text. Invalid TOML, unknown keys, wrong types and out-of-range values are
/// errors with file, line and reason; the first one that `body` reaches is returned. After an
/// error, the values that were read must not be used.
Status readToml(std::string_view text, const std::string& file, const Archive::Body& body);

}  // namespace tilestep::model
