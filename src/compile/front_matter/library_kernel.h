// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "compile/kernel.h"

namespace tilestep::compile {

/// A library product (base/library_product.h) as a kernel that has front matter with operands,
/// sizes and reference, but no code. Its only launch represents all launches of the library. Fails
/// for unknown names; the error lists the known names.
Result<KernelSource> libraryKernel(const std::string& name);

}  // namespace tilestep::compile
