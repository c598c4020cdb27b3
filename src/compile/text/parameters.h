// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "compile/kernel.h"
#include "ptx/ir.h"

namespace tilestep::compile {

/// Checks front matter against the compiled kernel: every launched entry exists, its parameters
/// match the operands in number and size, and every symbol exists. The error says which operand is
/// missing or wrong.
Status checkParameters(const KernelSpec& spec, const ptx::Module& module);

}  // namespace tilestep::compile
