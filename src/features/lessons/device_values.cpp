// SPDX-License-Identifier: Apache-2.0
#include "features/lessons/device_values.h"

#include <vector>

#include "base/nearest_name.h"

namespace tilestep::features {

ValuesByPath valuesOfDevice(const device::DeviceInfo& device) {
  ValuesByPath values;
  values.emplace("name", lab::ResultValue(device.name));
  const auto add = [&](const std::string& path, uint64_t value) {
    if (value == 0) {
      values.emplace(path, workError(path + " of " + device.name + " is not known"));
    } else {
      values.emplace(path, lab::ResultValue(static_cast<double>(value)));
    }
  };
  add("multiprocessors", device.multiprocessors);
  add("clock_mhz", device.clockMhz);
  add("l2_bytes", device.l2Bytes);
  add("registers_per_multiprocessor", device.registersPerMultiprocessor);
  add("shared_bytes_per_multiprocessor", device.sharedBytesPerMultiprocessor);
  add("threads_per_multiprocessor", device.threadsPerMultiprocessor);
  add("blocks_per_multiprocessor", device.blocksPerMultiprocessor);
  return values;
}

Status checkDevicePath(const std::string& path) {
  const ValuesByPath values = valuesOfDevice({});
  if (values.contains(path)) return {};
  std::vector<std::string> paths;
  for (const auto& [known, value] : values) paths.push_back(known);
  return requestError("a device has no " + path + "; the nearest is " + nearestName(path, paths));
}

}  // namespace tilestep::features
