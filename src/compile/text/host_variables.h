// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "ptx/ir.h"

namespace tilestep::compile {

/// An Error at the line of a host array or structure that device code of `module` reads. NVRTC and
/// clang allow this, nvcc does not: of variables without __device__, __constant__ and the like,
/// device code can use only constants of simple types (CUDA C++ Programming Guide, const-qualified
/// variables). `source`: the text from which the module was compiled; `path`: its name.
[[nodiscard]] Status checkHostVariables(const ptx::Module& module, std::string_view source,
                                        const std::string& path);

}  // namespace tilestep::compile
