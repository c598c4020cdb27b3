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

/// The PTX target for a device: the kernel's own, if set; else compute_75, or compute_80 for a
/// kernel that uses features of newer GPUs; lower for an older device. Errors: the kernel's front
/// matter requires more than the device has.
Result<std::string> archFor(const compile::KernelSpec& spec, const device::DeviceInfo& info);

/// Whether code for `arch` ("compute_80") supports asynchronous copies to shared memory (cp.async).
[[nodiscard]] bool hasAsyncCopies(const std::string& arch);

/// Shared arrays by name, place and shape, laid out as in `module`. Empty if they do not match.
[[nodiscard]] std::vector<trace::SharedArray> sharedArraysOf(const compile::Plan& plan,
                                                             const ptx::Module& module);

/// Also rejects NaN and values that a clock cannot represent.
Status checkTimeout(double seconds);

/// Errors: the block to trace is outside the grid.
Result<device::Job> makeJob(const Experiment& experiment, const compile::Plan& plan,
                            const compile::Compiled& compiled);

}  // namespace tilestep::lab
