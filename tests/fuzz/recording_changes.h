// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace tilestep::fuzz {

/// The recording with up to four changed values, packed again with a correct checksum: numbers at
/// the edge of their range, lists one shorter or longer, byte strings with a changed byte, and
/// values of another kind. `recording` must be a readable one of the current version. `orders`
/// choose the changes; when they are used up, nothing more changes.
std::string changedRecording(std::string_view recording, std::span<const std::byte> orders);

}  // namespace tilestep::fuzz
