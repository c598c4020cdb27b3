// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace tilestep::compile {

/// Why nvcc may take a text that does not compile here, in a sentence without its full stop; empty
/// where the mistake is the text's. It may come from a library or a header that is not here, or
/// from host code, which is left out. `source`: the text with its host code; `path`: its name in
/// the error. Takes any text.
[[nodiscard]] std::string whyNvccMayTake(const Error& error, std::string_view source,
                                         const std::string& path);

/// Whether the line is one of a function that runs on the device; in a text without host code, any
/// line is. Takes any text and line.
[[nodiscard]] bool isOfDevice(int line, std::string_view source);

}  // namespace tilestep::compile
