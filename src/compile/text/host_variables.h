// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "ptx/ir.h"

namespace tilestep::compile {

/// An Error at the line of an array or a structure of the host that device code of `module` reads.
/// NVRTC and clang let it do so. nvcc does not: of variables without __device__, __constant__ and
/// the like, device code knows only constants of simple types (CUDA C++ Programming Guide,
/// const-qualified variables). `source`: the text that the module was made of; `path`: its name.
[[nodiscard]] Status checkHostVariables(const ptx::Module& module, std::string_view source,
                                        const std::string& path);

}  // namespace tilestep::compile
