// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda_runtime.h"

namespace tilestep::guest {

/// Keeps what a call returns, for cudaGetLastError; returns it. An error that ends the device's
/// work for good ("sticky": CUDA Runtime API, "Error Handling") is returned by every call from then
/// on.
cudaError_t keep(int error);
/// The error that every call returns; cudaSuccess where there is none.
cudaError_t stickyError();

}  // namespace tilestep::guest
