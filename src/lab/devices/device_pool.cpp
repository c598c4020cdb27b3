// SPDX-License-Identifier: Apache-2.0
#include "lab/devices/device_pool.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "base/number_text.h"
#include "lab/recording/recording_file.h"

namespace tilestep::lab {

namespace {

constexpr std::string_view kRecorded = "recorded:";

std::optional<unsigned> numberBehind(std::string_view prefix, std::string_view name) {
  if (!name.starts_with(prefix)) return std::nullopt;
  return numberIn<unsigned>(name.substr(prefix.size()));
}

DeviceName dealt(unsigned share, const std::vector<std::string>& gpus) {
  if (gpus.empty()) return {DeviceName::Kind::simt, 0};
  std::vector<unsigned> alike;
  for (unsigned ordinal = 0; ordinal < gpus.size(); ++ordinal) {
    if (gpus[ordinal] == gpus.front()) alike.push_back(ordinal);
  }
  return {DeviceName::Kind::cuda, alike[share % alike.size()]};
}

std::vector<std::string> gpuNames() {
  std::vector<std::string> names;
  for (device::DeviceInfo& info : device::cudaDevices()) names.push_back(std::move(info.name));
  return names;
}

bool isAuto(const std::string& name) {
  return name == "auto" || numberBehind("auto:", name);
}

}  // namespace

Result<DeviceName> resolveDevice(const std::string& name, std::vector<std::string> (*gpus)()) {
  if (name == "simt") return DeviceName{DeviceName::Kind::simt, 0};
  if (isAuto(name)) return dealt(numberBehind("auto:", name).value_or(0), gpus());
  if (const auto ordinal = numberBehind("cuda:", name)) {
    return DeviceName{DeviceName::Kind::cuda, *ordinal};
  }
  if (name.starts_with(kRecorded) && name.size() > kRecorded.size())
    return DeviceName{DeviceName::Kind::recorded, 0, name.substr(kRecorded.size())};
  return requestError("there is no device '" + name +
                      "'; the devices are auto, simt, cuda:N and recorded:NAME");
}

Result<DeviceName> DevicePool::resolve(const std::string& name) {
  return resolveDevice(name, &gpuNames);
}

Result<device::Device*> DevicePool::open(const std::string& name) {
  Result<DeviceName> resolved = resolve(name);
  if (!resolved) return resolved.error();
  if (resolved->kind == DeviceName::Kind::simt) return simt();
  if (resolved->kind == DeviceName::Kind::recorded) {
    Result<RecordedDevice*> recording = recorded(name);
    if (!recording) return recording.error();
    return *recording;
  }
  Result<device::Device*> opened = cuda(resolved->ordinal);
  if (opened || !isAuto(name)) return opened;
  if (resolved->ordinal != 0) opened = cuda(0);
  return opened ? opened : simt();
}

bool DevicePool::anyLost() const {
  return std::any_of(cuda_.begin(), cuda_.end(),
                     [](const auto& entry) { return entry.second->lost(); });
}

std::vector<device::DeviceInfo> DevicePool::list() {
  std::vector<device::DeviceInfo> infos{simt()->info()};
  for (device::DeviceInfo& info : device::cudaDevices()) {
    if (info.id != "cuda:0" || cuda(0)) infos.push_back(std::move(info));
  }
  for (device::DeviceInfo& info : recordedDevices(home_)) infos.push_back(std::move(info));
  for (const auto& [name, opened] : recorded_) {
    const auto same = [&](const device::DeviceInfo& info) { return info.id == opened->info().id; };
    if (std::ranges::none_of(infos, same)) infos.push_back(opened->info());
  }
  return infos;
}

Result<RecordedDevice*> DevicePool::recorded(const std::string& name) {
  if (!name.starts_with(kRecorded)) return nullptr;
  const auto known = recorded_.find(name);
  if (known != recorded_.end()) return known->second.get();
  const std::string file = recordingFile(home_, name.substr(kRecorded.size()));
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) {
    std::string there;
    for (const device::DeviceInfo& info : recordedDevices(home_)) there += ", " + info.id;
    return requestError("there is no recording " + file +
                        (there.empty() ? "; this installation has none"
                                       : "; this installation has" + there.substr(1)));
  }
  Result<DeviceRecording> read = readRecording(file);
  if (!read) return read.error();
  return (recorded_[name] =
              std::make_unique<RecordedDevice>(std::move(read).value(), name, *simt()))
      .get();
}

device::Device* DevicePool::simt() {
  if (!simt_) simt_ = device::openSimt(threads_);
  return simt_.get();
}

Result<device::Device*> DevicePool::cuda(unsigned ordinal) {
  const auto known = cuda_.find(ordinal);
  if (known != cuda_.end()) return known->second.get();
  Result<std::unique_ptr<device::Device>> opened = device::openCuda(ordinal);
  if (!opened) {
    Error error = opened.error();
    error.kind = ErrorKind::request;
    return error;
  }
  return (cuda_[ordinal] = std::move(opened).value()).get();
}

}  // namespace tilestep::lab
