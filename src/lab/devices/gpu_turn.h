// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"
#include "device/device.h"

namespace tilestep::lab {

/// The folder of the GPUs' lock files. TMPDIR is ignored, so that all users share the folder.
constexpr const char* kGpuLockFolder = "/tmp";

/// Gives one Tilestep process exclusive use of a GPU of this machine, because concurrent use would
/// distort times. The lock is an flock on one file per GPU, held as long as the object or the
/// process lives. Other programs ignore it. Not thread-safe.
class GpuTurn {
 public:
  /// Holds no lock.
  GpuTurn() = default;

  /// Receives the seconds waited so far and the GPU's current user as holderOf() describes it.
  using Waiting = std::function<void(int seconds, const std::string& holder)>;

  /// Waits until the GPU at `gpu` (DeviceInfo::place) is free. Waiting processes get it in no
  /// particular order. While waiting, calls `waiting` at once and then every second. Errors:
  /// cancelled; the GPU was not free within `patience`.
  static Result<GpuTurn> take(const std::string& folder, const std::string& gpu,
                              const device::Cancelled& cancelled, const Waiting& waiting,
                              std::chrono::seconds patience = std::chrono::minutes(30));

  [[nodiscard]] bool isHeld() const { return lock_.isOpen(); }
  /// Why take() succeeded without a lock: the lock file cannot be opened or locked. A sentence
  /// without a full stop; empty if the lock is held.
  [[nodiscard]] const std::string& note() const { return note_; }

 private:
  explicit GpuTurn(Descriptor lock) : lock_(std::move(lock)) {}
  explicit GpuTurn(std::string note) : note_(std::move(note)) {}

  Descriptor lock_;
  std::string note_;
};

/// How long a GPU must stay free for a waiting process to get it.
constexpr std::chrono::milliseconds kHandOver{10};

/// The prefix of every waitingText().
inline constexpr std::string_view kWaitsFor = "waiting for ";

/// "waiting for the NVIDIA H200, 12 s: process 123 of alice has used it for 40 s"
[[nodiscard]] std::string waitingText(const std::string& gpuName, int seconds,
                                      const std::string& holder);

}  // namespace tilestep::lab
