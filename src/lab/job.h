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

/// One operand as a device takes it, without the fields of a structure.
[[nodiscard]] device::Operand operandOf(const compile::ResolvedOperand& resolved);

/// All of them, in parameter order.
[[nodiscard]] std::vector<device::Operand> operandsOf(const compile::Plan& plan);

/// The PTX target for a device: the kernel's own; or compute_75, compute_80 for one that names what
/// only newer GPUs have, and lower where the device is older.
/// Errors: the kernel's front matter asks for more than the device has.
Result<std::string> archFor(const compile::KernelSpec& spec, const device::DeviceInfo& info);

/// Whether code for `arch` ("compute_80") can copy to shared memory asynchronously (cp.async).
[[nodiscard]] bool hasAsyncCopies(const std::string& arch);

/// Shared arrays by name, place and shape, laid out as in `module`. Empty where they do not match.
[[nodiscard]] std::vector<trace::SharedArray> sharedArraysOf(const compile::Plan& plan,
                                                             const ptx::Module& module);

/// Also stops what is no number, and what a clock cannot hold.
Status checkTimeout(double seconds);

/// Errors: a block to trace that is outside the grid.
Result<device::Job> makeJob(const Experiment& experiment, const compile::Plan& plan,
                            const compile::Compiled& compiled);

}  // namespace tilestep::lab
