// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda_runtime.h"

namespace tilestep::guest {

/// Keeps a call's result for cudaGetLastError, and returns it. Every later call returns an error
/// that ends the device's work for good ("sticky": CUDA Runtime API,
/// "Error Handling").
cudaError_t keep(int error);
/// The sticky error; cudaSuccess if there is none.
cudaError_t stickyError();

}  // namespace tilestep::guest
