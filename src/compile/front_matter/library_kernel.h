// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "compile/kernel.h"

namespace tilestep::compile {

/// One of base/library_product.h as a kernel: front matter with operands, sizes and reference, and
/// no code. Its one launch stands for whatever the library launches. Unknown: an Error with the
/// names that there are.
Result<KernelSource> libraryKernel(const std::string& name);

}  // namespace tilestep::compile
