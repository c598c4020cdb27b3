// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "compile/kernel.h"

namespace tilestep::compile {

/// A function of base/library_product.h as a kernel: front matter with operands, sizes and
/// reference, and no code. Its only launch represents all launches of the library. An unknown name
/// is an Error that lists the known ones.
Result<KernelSource> libraryKernel(const std::string& name);

}  // namespace tilestep::compile
