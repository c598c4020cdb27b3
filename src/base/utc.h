// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

/// Times in UTC, as text.
namespace tilestep {

/// "2026-11-21T21:30:00Z"
[[nodiscard]] std::string utcText(int64_t unixSeconds);
[[nodiscard]] std::string utcNow();
/// "2026-11-21"
[[nodiscard]] std::string utcToday();

}  // namespace tilestep
