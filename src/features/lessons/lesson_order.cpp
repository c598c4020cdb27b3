// SPDX-License-Identifier: Apache-2.0
#include "features/lessons/lesson_order.h"

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <system_error>
#include <tuple>

namespace tilestep::features {
namespace {

uint32_t numberOf(const std::string& name) {
  uint32_t number = 0;
  const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
  return read.ec == std::errc() ? number : std::numeric_limits<uint32_t>::max();
}

}  // namespace

bool comesBefore(const std::string& file, const std::string& other) {
  const std::string name = std::filesystem::path(file).filename().string();
  const std::string otherName = std::filesystem::path(other).filename().string();
  return std::tuple(numberOf(name), name) < std::tuple(numberOf(otherName), otherName);
}

}  // namespace tilestep::features
