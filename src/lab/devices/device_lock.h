// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "device/device.h"

namespace tilestep::lab {

/// Lets one Tilestep at a time use a GPU of this machine, whoever started it, because two would
/// spoil each other's times. Held as long as the object lives; ends with the process.
class DeviceLock {
 public:
  DeviceLock() = default;
  DeviceLock(DeviceLock&& other) noexcept;
  DeviceLock& operator=(DeviceLock&& other) noexcept;
  ~DeviceLock();

  /// Waits for its turn. `waiting` is called at once and then every second with the seconds waited.
  /// If no lock can be made (no writable folder), it continues without one. Errors: cancelled.
  static Result<DeviceLock> take(const std::string& folder, const std::string& place,
                                 const device::Cancelled& cancelled,
                                 const std::function<void(int seconds)>& waiting);

 private:
  explicit DeviceLock(int file) : file_(file) {}
  int file_ = -1;
};

}  // namespace tilestep::lab
