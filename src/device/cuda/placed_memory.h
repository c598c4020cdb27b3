// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "device/cuda/driver/context.h"

namespace tilestep::cuda {

/// GPU memory at an address chosen by the caller, released with the object.
class PlacedMemory {
 public:
  /// Error of kind request: the driver cannot map memory at this address, or has too little memory.
  static Result<PlacedMemory> make(const ContextPtr& context, DevicePointer address,
                                   uint64_t bytes);
  PlacedMemory(PlacedMemory&& other) noexcept;
  PlacedMemory& operator=(PlacedMemory&& other) noexcept;
  ~PlacedMemory();

 private:
  explicit PlacedMemory(ContextPtr context) : context_(std::move(context)) {}
  Status reserve(DevicePointer address, uint64_t granularity);
  void release();

  ContextPtr context_;
  DevicePointer address_ = 0;  ///< 0 if nothing is reserved.
  uint64_t reserved_ = 0, mapped_ = 0;
  unsigned long long memory_ = 0;  ///< 0 if there is none.
  bool isMapped_ = false;
};

}  // namespace tilestep::cuda
