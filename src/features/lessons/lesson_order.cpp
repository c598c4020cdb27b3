// SPDX-License-Identifier: Apache-2.0
#include "features/lessons/lesson_order.h"

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

namespace tilestep::model {
namespace {

std::pair<uint64_t, std::string> placeOf(const std::string& file) {
  std::string name = std::filesystem::path(file).filename().string();
  uint64_t number = 0;
  const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
  if (read.ec != std::errc()) number = std::numeric_limits<uint64_t>::max();
  return {number, std::move(name)};
}

}  // namespace

bool comesBefore(const std::string& file, const std::string& other) {
  return placeOf(file) < placeOf(other);
}

}  // namespace tilestep::model
