// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compile/kernel.h"
#include "lab/devices/device_file.h"
#include "model/files/lab_file.h"
#include "worker/client.h"

/// The output of `kernels --json`, `devices --json` and `labs --json`.
namespace tilestep::app {

struct DeviceCeilings {
  std::string id;  ///< The device's id.
  Result<device::Ceilings> ceilings;
};

[[nodiscard]] std::string kernelsJson(const std::vector<compile::CatalogueEntry>& entries);
/// `ceilings` is null if the ceilings were not requested.
[[nodiscard]] std::string devicesJson(const worker::DevicesReply& reply,
                                      const std::vector<DeviceCeilings>* ceilings);
[[nodiscard]] std::string labsJson(const std::vector<model::Lab>& labs);
[[nodiscard]] std::string knownJson(const std::vector<lab::DeviceFile>& files);

}  // namespace tilestep::app
