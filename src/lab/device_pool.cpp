// SPDX-License-Identifier: Apache-2.0
#include "lab/device_pool.h"

#include <algorithm>
#include <charconv>

namespace tilestep::lab {

tilestep::Result<DeviceName> resolveDevice(const std::string& name, unsigned (*cudaCount)()) {
  if (name == "simt") return DeviceName{DeviceName::Kind::simt, 0};
  if (name == "auto") {
    const bool gpu = cudaCount() > 0;
    return DeviceName{gpu ? DeviceName::Kind::cuda : DeviceName::Kind::simt, 0};
  }
  if (name.starts_with("cuda:")) {
    DeviceName device{DeviceName::Kind::cuda, 0};
    const char* end = name.data() + name.size();
    const auto parsed = std::from_chars(name.data() + 5, end, device.ordinal);
    if (parsed.ec == std::errc{} && parsed.ptr == end) return device;
  }
  if (name.starts_with("recorded:")) {
    return requestError("'" + name + "' names a recording, which this version does not read; " +
                        "the devices are auto, simt and cuda:N");
  }
  return requestError("there is no device '" + name + "'; the devices are auto, simt and cuda:N");
}

tilestep::Result<device::Device*> DevicePool::open(const std::string& name) {
  tilestep::Result<DeviceName> resolved = resolveDevice(name, &device::cudaCount);
  if (!resolved) return resolved.error();
  if (resolved->kind == DeviceName::Kind::simt) return simt();
  tilestep::Result<device::Device*> opened = cuda(resolved->ordinal);
  if (opened || name != "auto") return opened;
  return simt();
}

bool DevicePool::anyLost() const {
  return std::any_of(cuda_.begin(), cuda_.end(),
                     [](const auto& entry) { return entry.second->lost(); });
}

std::vector<device::DeviceInfo> DevicePool::list() {
  std::vector<device::DeviceInfo> infos{simt()->info()};
  for (unsigned ordinal = 0; ordinal < device::cudaCount(); ++ordinal) {
    if (auto opened = cuda(ordinal)) infos.push_back((*opened)->info());
  }
  return infos;
}

device::Device* DevicePool::simt() {
  if (!simt_) simt_ = device::openSimt(threads_);
  return simt_.get();
}

tilestep::Result<device::Device*> DevicePool::cuda(unsigned ordinal) {
  const auto known = cuda_.find(ordinal);
  if (known != cuda_.end()) return known->second.get();
  tilestep::Result<std::unique_ptr<device::Device>> opened = device::openCuda(ordinal);
  if (!opened) {
    Error error = opened.error();
    error.kind = ErrorKind::request;
    return error;
  }
  return (cuda_[ordinal] = std::move(opened).value()).get();
}

}  // namespace tilestep::lab
