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

/// Whether an error of nvcc with a place in the text is about code of the device: its line is one
/// of a function that runs there and of no other function, and where the function runs on the host
/// too, the message is about __device__. In a text without host code, any error is, unless its line
/// includes a header. Takes any text and error.
[[nodiscard]] bool isOfDevice(const Error& error, std::string_view source);

}  // namespace tilestep::compile
