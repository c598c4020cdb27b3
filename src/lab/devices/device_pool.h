// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "lab/recording/recorded.h"

namespace tilestep::lab {

/// A parsed device name. Whether "cuda:7" exists is determined when it is opened.
struct DeviceName {
  enum class Kind { simt, cuda, recorded } kind = Kind::simt;
  unsigned ordinal = 0;
  std::string recording;  ///< "nvidia-h200" for "recorded:nvidia-h200", or a file's path.
};

/// Accepts "simt", "cuda:N", "recorded:NAME", "auto" and "auto:I". "auto" is the first GPU that
/// responds, else simt. "auto:I" is for the I-th of several workers that share work: it deals out
/// the GPUs of the first GPU's model in turn, so that results of different models do not mix.
/// `gpus` returns the GPUs' names by ordinal and is called only for "auto" and "auto:I". Errors:
/// kind request.
Result<DeviceName> resolveDevice(const std::string& name, std::vector<std::string> (*gpus)());

/// Devices, opened on first use and then kept open. For one thread.
class DevicePool {
 public:
  /// Recordings are searched for in `home`.
  explicit DevicePool(unsigned interpreterThreads, std::string home = {})
      : threads_(interpreterThreads), home_(std::move(home)) {}

  /// resolveDevice with this machine's GPUs.
  static Result<DeviceName> resolve(const std::string& name);
  /// The device stays valid as long as the pool. If a GPU does not open, "auto" falls back to the
  /// first GPU, then to simt.
  Result<device::Device*> open(const std::string& name);
  /// Reads and checks the recording `name` on first use; null for the name of any other device.
  Result<RecordedDevice*> recorded(const std::string& name);
  /// simt first, then each GPU that responds, then the shipped recordings, then those opened by
  /// path. Opens only the first GPU, which "auto" uses, because others may be in use.
  std::vector<device::DeviceInfo> list();
  /// Whether a device no longer works in this process.
  [[nodiscard]] bool anyLost() const;

 private:
  device::Device* simt();
  Result<device::Device*> cuda(unsigned ordinal);

  unsigned threads_;
  std::string home_;
  std::unique_ptr<device::Device> simt_;
  std::map<unsigned, std::unique_ptr<device::Device>> cuda_;
  std::map<std::string, std::unique_ptr<RecordedDevice>> recorded_;
};

}  // namespace tilestep::lab
