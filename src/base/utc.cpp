// SPDX-License-Identifier: Apache-2.0
#include "base/utc.h"

#include <array>
#include <chrono>
#include <ctime>

namespace tilestep {

std::string utcText(int64_t unixSeconds) {
  const auto time = static_cast<std::time_t>(unixSeconds);
  std::tm parts{};
  gmtime_r(&time, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

std::string utcNow() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return utcText(std::chrono::duration_cast<std::chrono::seconds>(now).count());
}

std::string utcToday() {
  constexpr size_t kDay = 10;
  return utcNow().substr(0, kDay);
}

}  // namespace tilestep
