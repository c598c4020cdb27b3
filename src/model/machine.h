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
  /// For a recorded point: the number of machines in its recording, and the one that measured it,
  /// counted from 1; 0 if unknown.
  uint32_t machines = 0, number = 0;
  bool operator==(const Machine&) const = default;
};
[[nodiscard]] Machine machineOf(const device::DeviceInfo& device);

enum class SameMachine : uint8_t { yes, no, unknown };
/// Compares by name, then by identity, then by the number in one recording. Devices that are
/// present but whose identity is unknown are distinguished by their ids.
[[nodiscard]] SameMachine sameMachine(const Machine& a, const Machine& b);

/// The machine of a figure that is shown among figures of `shown`: "another NVIDIA H200 (no. 3)",
/// "an NVIDIA H200 that may be another one"; empty if both are the same machine.
[[nodiscard]] std::string whoseText(const Machine& machine, const Machine& shown);

}  // namespace tilestep::model
