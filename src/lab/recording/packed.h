// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

/// zlib as a recording uses it.
namespace tilestep::lab {

/// `level`: zlib's, 1 to 9.
[[nodiscard]] std::string deflated(std::string_view plain, int level);

/// Memory grows with what is unpacked and stops at `most` bytes. An Error says why it is no zlib
/// stream, or that it unpacks to more.
Result<std::string> inflated(std::string_view packed, size_t most);

[[nodiscard]] uint32_t checksumOf(std::string_view bytes);  ///< CRC-32.

}  // namespace tilestep::lab
