// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda_runtime.h"

namespace tilestep::guest {

/// Keeps a call's result for cudaGetLastError, and returns it. An error that ends the device's work
/// is "sticky": every later call returns it, too (CUDA Runtime API, "Error Handling").
cudaError_t keep(int error);
/// The sticky error; cudaSuccess if none has occurred.
cudaError_t stickyError();

}  // namespace tilestep::guest
