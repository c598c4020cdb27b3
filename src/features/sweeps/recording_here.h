// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include "features/names.h"
#include "lab/recording/recorded.h"
#include "lab/recording/recording_file.h"
#include "model/choice/resolved.h"

namespace tilestep::features {

/// The recording in use, read on a background thread of this process instead of by the worker. The
/// functions are for one thread.
class RecordingHere {
 public:
  /// Null if the device in use is not a recording, while it is being read, and if it cannot be
  /// read.
  std::shared_ptr<const lab::DeviceRecording> of(const Resolved& resolved,
                                                 const std::string& home) {
    constexpr std::string_view kPrefix = "recorded:";
    const device::DeviceInfo* device = resolved.device;
    if (device == nullptr || !device->id.starts_with(kPrefix)) return nullptr;
    if (of_ == device->id) return now_;
    if (reads()) return nullptr;  // Another one is being read; this one follows.
    of_ = device->id;
    now_.reset();
    const std::string file = lab::recordingFile(home, device->id.substr(kPrefix.size()));
    read_ = std::async(std::launch::async, [file] { return lab::readRecording(file); });
    return nullptr;
  }
  [[nodiscard]] bool reads() const { return read_.valid(); }
  /// Takes the recording that was read; true if there was one.
  bool take() {
    using namespace std::chrono_literals;
    if (!reads() || read_.wait_for(0s) != std::future_status::ready) return false;
    Result<lab::DeviceRecording> read = read_.get();
    // The worker may be able to read a recording that cannot be read here.
    if (read) now_ = std::make_shared<const lab::DeviceRecording>(std::move(*read));
    return true;
  }

 private:
  std::string of_;  ///< The device whose recording is being read, or was read.
  std::future<Result<lab::DeviceRecording>> read_;
  std::shared_ptr<const lab::DeviceRecording> now_;
};

}  // namespace tilestep::features
