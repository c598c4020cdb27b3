// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "guest/protocol.h"

/// Functions shared by the parts of the service.
namespace tilestep::program {

/// The bytes of a value, as the data of an answer.
template <class T>
[[nodiscard]] std::vector<uint8_t> bytesOf(const T& value) {
  const auto* first = reinterpret_cast<const uint8_t*>(&value);
  return {first, first + sizeof value};
}

/// Whether the address is in the span in which the interpreter puts the device's memory.
[[nodiscard]] inline bool isDeviceAddress(uint64_t address) {
  return address - guest::kSpanStart < guest::kSpanBytes;
}

/// "4 bytes"
[[nodiscard]] inline std::string bytesText(uint64_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

}  // namespace tilestep::program
