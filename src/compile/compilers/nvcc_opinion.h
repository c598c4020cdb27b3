// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "compile/compilers/nvcc.h"
#include "compile/kernel.h"

namespace tilestep::compile {

/// What a compile comes to for a file that is marked as nvcc would take it
/// (CompileRequest::asNvcc). Success where the file is taken.
struct NvccCase {
  const KernelSource& source;
  const Status& own;     ///< What it came to without nvcc,
  std::string compiler;  ///< by "NVRTC 13.0".
  /// Asks nvcc; `unknown` where it is not here. Not called where it has nothing to say.
  std::function<Result<NvccWord>()> ask;
};
[[nodiscard]] Status asNvccWould(const NvccCase& each);

}  // namespace tilestep::compile
