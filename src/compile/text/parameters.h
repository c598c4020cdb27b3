// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "compile/kernel.h"
#include "ptx/ir.h"

namespace tilestep::compile {

/// Checks front matter against the compiled kernel: every launched entry must exist, its parameters
/// must match the operands in number and size, and every symbol must exist. The error names the
/// missing or wrong operand.
Status checkParameters(const KernelSpec& spec, const ptx::Module& module);

}  // namespace tilestep::compile
