// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

/// zlib compression for recordings.
namespace tilestep::lab {

/// `level` is zlib's, from 1 to 9.
[[nodiscard]] std::string deflated(std::string_view plain, int level);

/// The buffer grows with the data. Error: not a zlib stream, or more than `most` bytes.
Result<std::string> inflated(std::string_view packed, size_t most);

[[nodiscard]] uint32_t checksumOf(std::string_view bytes);  ///< CRC-32.

}  // namespace tilestep::lab
