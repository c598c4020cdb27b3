// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "compile/compilers/nvcc.h"
#include "compile/kernel.h"

namespace tilestep::compile {

/// A compile of a file that is graded (CompileRequest::asNvcc).
struct NvccCase {
  const KernelSource& source;
  const Status& own;     ///< What it came to without nvcc.
  std::string compiler;  ///< Which compiler said so: "NVRTC 13.0".
  /// Asks nvcc; `unknown` where it is not here. Not called where it has nothing to say.
  std::function<Result<NvccAnswer>()> ask;
};

/// What the compile comes to once nvcc was asked. Success where the file is taken.
[[nodiscard]] Status asNvccWould(const NvccCase& each);

}  // namespace tilestep::compile
