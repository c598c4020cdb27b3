// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "ptx/ir.h"

namespace tilestep::compile {

/// Fails if device code reads a host array or structure, with an error at the line of its
/// declaration. NVRTC and clang allow this, but nvcc does not: device code can use host variables
/// only if they are constants of simple types (CUDA C++ Programming Guide, const-qualified
/// variables). `module` was compiled from `source`, the contents of `path`.
[[nodiscard]] Status checkHostVariables(const ptx::Module& module, std::string_view source,
                                        const std::string& path);

}  // namespace tilestep::compile
