// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilestep {

/// The number of bytes in a string such as "800000000", "512M" or "2G": an integer above 0, with K,
/// M, G or T for powers of 1024. Nothing for any other string, or for more than 2^63 bytes.
[[nodiscard]] std::optional<uint64_t> memorySizeOf(std::string_view text);

/// "2 GiB", "1.4 GiB", "812 MiB", "12 bytes".
[[nodiscard]] std::string memorySizeText(uint64_t bytes);

}  // namespace tilestep
