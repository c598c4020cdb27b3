// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
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

  /// Told how long it has waited, and who has the GPU: "process 123 of anna", or empty.
  using Waiting = std::function<void(int seconds, const std::string& holder)>;

  /// Waits for its turn. `waiting` is called at once and then every second. If no lock can be made
  /// (no writable folder, or something there that is no file), it continues without one. Errors:
  /// cancelled, or `patience` at its end, which names the holder.
  static Result<DeviceLock> take(const std::string& folder, const std::string& place,
                                 const device::Cancelled& cancelled, const Waiting& waiting,
                                 std::chrono::seconds patience = std::chrono::minutes(30));

 private:
  explicit DeviceLock(int file) : file_(file) {}
  int file_ = -1;
};

}  // namespace tilestep::lab
