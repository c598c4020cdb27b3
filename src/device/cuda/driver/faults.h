// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "device/cuda/driver/driver.h"

/// Translates the driver's failures into faults of a kernel, in sentences.
namespace tilestep::cuda {

/// Whether every call on the context fails after this result: a kernel's fault, or a lost GPU.
[[nodiscard]] bool isFatal(ApiResult result);

/// Whether a fatal result was caused by a kernel, not by the machine.
[[nodiscard]] bool isKernelsDoing(ApiResult result);

/// The driver's own description: "an illegal memory access was encountered,
/// CUDA_ERROR_ILLEGAL_ADDRESS, 700".
[[nodiscard]] std::string driversWord(const Driver& driver, ApiResult result);

/// The fault behind a fatal result. `what` names the kernels that ran.
[[nodiscard]] device::Fault faultOf(const Driver& driver, ApiResult fatal, const std::string& what);
/// The fault of `what`, which did not end within the job's time limit.
[[nodiscard]] device::Fault timeoutFault(const std::string& what, double seconds);
/// The fault of a job whose kernels, `what`, ended within `plainSeconds`, but whose later `step`
/// ("counting") was unfinished at the time limit. This is not a fault of the kernel.
[[nodiscard]] device::Fault lateTimeoutFault(const std::string& what, double plainSeconds,
                                             const std::string& step, double seconds);

}  // namespace tilestep::cuda
