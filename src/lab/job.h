// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compile/compiler.h"
#include "compile/kernel.h"
#include "device/device.h"
#include "lab/experiment.h"

namespace tilestep::lab {

/// One operand for a device, without the fields of a structure.
[[nodiscard]] device::Operand operandOf(const compile::ResolvedOperand& resolved);

/// All operands, in parameter order.
[[nodiscard]] std::vector<device::Operand> operandsOf(const compile::Plan& plan);

/// The PTX target of a kernel for a device: the kernel's own target if front matter sets one.
/// Otherwise it is compute_75, compute_80 for a kernel that uses features of newer GPUs, or the
/// device's own target if that is older. Errors: front matter requires a newer device.
Result<std::string> archFor(const compile::KernelSpec& spec, const device::DeviceInfo& info);

/// Whether code for `arch` ("compute_80") supports asynchronous copies to shared memory (cp.async).
[[nodiscard]] bool hasAsyncCopies(const std::string& arch);

/// The plan's shared arrays as laid out in `module`. Empty if the plan and the module do not match.
[[nodiscard]] std::vector<trace::SharedArray> sharedArraysOf(const compile::Plan& plan,
                                                             const ptx::Module& module);

/// Rejects values outside 0.001 to 1000000, and NaN.
Status checkTimeout(double seconds);

/// Errors: the block to trace is outside the grid.
Result<device::Job> makeJob(const Experiment& experiment, const compile::Plan& plan,
                            const compile::Compiled& compiled);

}  // namespace tilestep::lab
