// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace tilestep::fuzz {

/// The recording with up to four values changed and packed again with a correct checksum: numbers
/// at the edge of their range, lists one shorter or longer, byte strings with a changed byte, and
/// values of another kind. `recording` is a readable one of the present version. `orders` choose
/// the changes; with none left nothing more changes.
std::string changedRecording(std::string_view recording, std::span<const std::byte> orders);

}  // namespace tilestep::fuzz
