// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "device/device.h"

namespace tilestep::model {

/// Which device, among all of its name, a figure is of.
struct Machine {
  std::string device;    ///< Its id: "cuda:0", "recorded:nvidia-h200".
  std::string name;      ///< "NVIDIA H200"
  std::string identity;  ///< As DeviceInfo::identity; empty: not known.
  /// Of a recorded point: how many machines its recording names, and which of them took it, counted
  /// from 1; 0: not known.
  uint32_t machines = 0, number = 0;
  bool operator==(const Machine&) const = default;
};
[[nodiscard]] Machine machineOf(const device::DeviceInfo& device);

enum class SameMachine : uint8_t { yes, no, unknown };
/// By name, then by identity, then by the number in one recording. Devices here whose identity is
/// not known are told apart by their id.
[[nodiscard]] SameMachine sameMachine(const Machine& a, const Machine& b);

/// Whose a figure is, where it stands among figures of `shown`: "another NVIDIA H200 (no. 3)", "an
/// NVIDIA H200 that may be another one"; empty where both are one machine's.
[[nodiscard]] std::string whoseText(const Machine& machine, const Machine& shown);

}  // namespace tilestep::model
