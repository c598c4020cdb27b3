// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilestep::program {

/// The runtime's errors (assets/runtime/errors.def) that the service returns.
enum CudaError : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kInvalidConfiguration = 9,
  kInvalidSymbol = 13,
  kInvalidMemcpyDirection = 21,
  kInvalidDeviceFunction = 98,
  kInvalidKernelImage = 200,
  kInvalidResourceHandle = 400,
  kNotReady = 600,
  kIllegalAddress = 700,
  kOutOfResources = 701,
  kLaunchTimeout = 702,
  kAssert = 710,
  kMisalignedAddress = 716,
  kLaunchFailure = 719,
  kCooperativeTooLarge = 720,
  kNotSupported = 801,
};

}  // namespace tilestep::program
