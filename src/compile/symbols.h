// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "ptx/ir.h"

namespace tilestep::compile {

/// The name in the source of a symbol in PTX (Itanium C++ ABI, the part that CUDA C++ needs):
/// "_Z12matmul_tiledPKfS0_Pfiii" is "matmul_tiled", "_ZZ12matmul_tiledPKfE3Mds" is "Mds"; a symbol
/// that is not mangled is its own name.
[[nodiscard]] std::string plainName(std::string_view symbol);

/// Gives every __global__ function its plain name, where no other has the same one.
void usePlainEntryNames(ptx::Module& module);

}  // namespace tilestep::compile
