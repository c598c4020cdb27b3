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

/// What a device's name means. That there is no "cuda:7" is found out when it is opened.
struct DeviceName {
  enum class Kind { simt, cuda, recorded } kind = Kind::simt;
  unsigned ordinal = 0;
  std::string recording;  ///< "nvidia-h200" of "recorded:nvidia-h200", or a file's path.
};

/// "simt", "cuda:N", "recorded:NAME"; "auto" is the first GPU where one answers, else simt.
/// "auto:I" is for the I-th of several workers that share work: the GPUs of the first one's kind
/// are dealt out in turn, so that no figures of different kinds mix. `gpus` gives the GPUs' names
/// by ordinal and is called for these two alone. Errors: kind request.
Result<DeviceName> resolveDevice(const std::string& name, std::vector<std::string> (*gpus)());

/// Devices, opened when first asked for and then kept. One thread.
class DevicePool {
 public:
  /// Recordings are looked for in `home`.
  explicit DevicePool(unsigned interpreterThreads, std::string home = {})
      : threads_(interpreterThreads), home_(std::move(home)) {}

  /// resolveDevice with this machine's GPUs.
  static Result<DeviceName> resolve(const std::string& name);
  /// Valid as long as the pool. Where a GPU does not open, "auto" falls back to the first one, then
  /// to simt.
  Result<device::Device*> open(const std::string& name);
  /// The same where it is a recording; null for other devices. Read and checked when first asked
  /// for.
  Result<RecordedDevice*> recorded(const std::string& name);
  /// simt first, then each GPU that answers, then the recordings that come with the program, and
  /// those that were opened by a path. The first GPU, which "auto" takes, is opened for that. The
  /// others, which somebody else may use, are not.
  std::vector<device::DeviceInfo> list();
  /// Whether one of them is lost to this process.
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
