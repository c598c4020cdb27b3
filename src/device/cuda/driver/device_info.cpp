// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "base/hash.h"
#include "device/cuda/driver/driver.h"

namespace tilestep::cuda {
namespace {

/// Reads attributes. An attribute that the driver does not know is 0.
class Attributes {
 public:
  Attributes(const Api& api, DeviceOrdinal device) : api_(api), device_(device) {}
  [[nodiscard]] uint32_t operator()(Attribute attribute) const {
    int value = 0;
    const bool known = api_.deviceGetAttribute(&value, attribute, device_) == kSuccess;
    return known && value > 0 ? static_cast<uint32_t>(value) : 0;
  }

 private:
  const Api& api_;
  DeviceOrdinal device_;
};

std::string placeOf(const Attributes& get) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%04x:%02x:%02x", get(Attribute::pciDomain),
                get(Attribute::pciBus), get(Attribute::pciDevice));
  return text.data();
}

/// "580.159.04, CUDA 13.0". Only the kernel module reports the release, and it may be hidden.
std::string driverText(const Driver& driver) {
  const std::string cuda = "CUDA " + driver.version();
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line;
  std::getline(file, line);
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    const bool release = word.find('.') != std::string::npos &&
                         word.find_first_not_of("0123456789.") == std::string::npos;
    if (release) return word + ", " + cuda;
  }
  return cuda;
}

Limits readLimits(const Attributes& get, const std::string& name, uint64_t memoryBytes) {
  Limits limits;
  limits.device = name;
  limits.threadsPerBlock = get(Attribute::maxThreadsPerBlock);
  limits.sharedBytesPerBlock = get(Attribute::maxSharedPerBlock);
  limits.sharedBytesPerBlockOptIn = get(Attribute::maxSharedPerBlockOptIn);
  limits.maxBlock = {get(Attribute::maxBlockX), get(Attribute::maxBlockY),
                     get(Attribute::maxBlockZ)};
  limits.maxGrid = {get(Attribute::maxGridX), get(Attribute::maxGridY), get(Attribute::maxGridZ)};
  limits.memoryBytes = memoryBytes;
  limits.multiprocessors = get(Attribute::multiprocessors);
  return limits;
}

/// A hash, so that the GPU's UUID stays private; empty if the driver does not report it.
std::string identityOf(const Api& api, DeviceOrdinal device) {
  Uuid uuid{};
  if (api.deviceGetUuid == nullptr || api.deviceGetUuid(&uuid, device) != kSuccess) return {};
  return hex64(fnv1a64({reinterpret_cast<const char*>(uuid.bytes), sizeof uuid.bytes}));
}

}  // namespace

Result<device::DeviceInfo> readDeviceInfo(const Driver& driver, unsigned ordinal) {
  const unsigned count = driver.deviceCount();
  if (ordinal >= count) {
    return requestError(
        "There is no cuda:" + std::to_string(ordinal) + ": " +
        (count == 0   ? std::string("no GPU answers here; use --device simt.")
         : count == 1 ? std::string("this machine has only cuda:0.")
                      : "this machine has cuda:0 to cuda:" + std::to_string(count - 1) + "."));
  }
  const Api& api = driver.api();
  DeviceOrdinal handle = 0;
  char name[256] = {};
  size_t memoryBytes = 0;
  if (Status s = driver.check(api.deviceGet(&handle, static_cast<int>(ordinal)), "cuDeviceGet");
      !s) {
    return s.error();
  }
  if (Status s = driver.check(api.deviceGetName(name, sizeof name - 1, handle), "cuDeviceGetName");
      !s) {
    return s.error();
  }
  if (Status s = driver.check(api.deviceTotalMem(&memoryBytes, handle), "cuDeviceTotalMem"); !s) {
    return s.error();
  }
  const Attributes get(api, handle);
  device::DeviceInfo info;
  info.id = "cuda:" + std::to_string(ordinal);
  info.name = name;
  info.computeCapability = std::to_string(get(Attribute::computeCapabilityMajor)) + "." +
                           std::to_string(get(Attribute::computeCapabilityMinor));
  info.measures = true;
  info.limits = readLimits(get, info.name, memoryBytes);
  info.multiprocessors = get(Attribute::multiprocessors);
  info.registersPerMultiprocessor = get(Attribute::maxRegistersPerMultiprocessor);
  info.sharedBytesPerMultiprocessor = get(Attribute::maxSharedPerMultiprocessor);
  info.sharedBytesReservedPerBlock = get(Attribute::reservedSharedPerBlock);
  info.threadsPerMultiprocessor = get(Attribute::maxThreadsPerMultiprocessor);
  info.blocksPerMultiprocessor = get(Attribute::maxBlocksPerMultiprocessor);
  info.clockMhz = get(Attribute::clockRateKhz) / 1000;
  info.l2Bytes = get(Attribute::l2CacheBytes);
  info.place = placeOf(get);
  info.driver = driverText(driver);
  info.identity = identityOf(api, handle);
  return info;
}

}  // namespace tilestep::cuda
