// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace tilestep::compile {

/// Whether a compile error may come from a library that is not here, so that nvcc may take the
/// text: the error stands in a header, asks for one, is about a name of std, thrust, cub or
/// cuComplex.h, or about a declaration that was left out because it uses such a name
/// (device_part.h). `source`: the text with its host code; `path`: its name in the error. An error
/// about a call of a host function is none, nor is one in the PTX. Takes any text.
[[nodiscard]] bool isLackOfLibrary(const Error& error, std::string_view source,
                                   const std::string& path);

/// Whether the error is about a variable that no word such as __device__ marks and NVRTC takes for
/// the device's. For nvcc it is the host's, and may call functions: `const float PI = acos(-1.0);`.
[[nodiscard]] bool isHostsVariable(const Error& error);

}  // namespace tilestep::compile
