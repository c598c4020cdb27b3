// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include "lab/recording/recorded.h"
#include "lab/recording/recording_file.h"
#include "model/choice/resolved.h"

namespace tilestep::model {

/// The recording in use, read here and not by the worker, on a thread of its own. One thread.
class RecordingHere {
 public:
  /// Null where the device in use is no recording, while it is read, and where it cannot be.
  std::shared_ptr<const lab::DeviceRecording> of(const Resolved& resolved,
                                                 const std::string& home) {
    constexpr std::string_view kPrefix = "recorded:";
    const device::DeviceInfo* device = resolved.device;
    if (device == nullptr || !device->id.starts_with(kPrefix)) return nullptr;
    if (of_ == device->id) return now_;
    if (reads()) return nullptr;  // Another one; its turn comes.
    of_ = device->id;
    now_.reset();
    const std::string file = lab::recordingFile(home, device->id.substr(kPrefix.size()));
    read_ = std::async(std::launch::async, [file] { return lab::readRecording(file); });
    return nullptr;
  }
  [[nodiscard]] bool reads() const { return read_.valid(); }
  /// Takes over what was read; true where something was.
  bool take() {
    using namespace std::chrono_literals;
    if (!reads() || read_.wait_for(0s) != std::future_status::ready) return false;
    Result<lab::DeviceRecording> read = read_.get();
    // What cannot be read here, the worker may.
    if (read) now_ = std::make_shared<const lab::DeviceRecording>(std::move(*read));
    return true;
  }

 private:
  std::string of_;  ///< The device whose recording is read, or was.
  std::future<Result<lab::DeviceRecording>> read_;
  std::shared_ptr<const lab::DeviceRecording> now_;
};

}  // namespace tilestep::model
