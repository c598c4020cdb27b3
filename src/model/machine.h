// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "device/device.h"

namespace tilestep::model {

/// Identifies the device of a figure among all devices of the same name.
struct Machine {
  std::string device;    ///< The device's id: "cuda:0", "recorded:nvidia-h200".
  std::string name;      ///< "NVIDIA H200"
  std::string identity;  ///< As DeviceInfo::identity; empty if unknown.
  /// For a recorded point, the number of machines in its recording, and the index of the machine
  /// that measured it, counted from 1; 0 if unknown.
  uint32_t machines = 0, number = 0;
  bool operator==(const Machine&) const = default;
};
[[nodiscard]] Machine machineOf(const device::DeviceInfo& device);

enum class SameMachine : uint8_t { yes, no, unknown };
/// Compares by name, then by identity, then by the index in one recording. Devices that are present
/// but have no known identity are distinguished by their ids.
[[nodiscard]] SameMachine sameMachine(const Machine& a, const Machine& b);

/// The machine of a figure that is shown among figures of `shown`: "another NVIDIA H200 (no. 3)",
/// "an NVIDIA H200, possibly a different one"; empty if both are the same machine.
[[nodiscard]] std::string whoseText(const Machine& machine, const Machine& shown);

}  // namespace tilestep::model
