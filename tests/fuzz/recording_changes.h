// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace tilestep::fuzz {

/// A recording with up to four changes of what it says, packed again behind a right checksum:
/// numbers become those at the edge of what fits, lists lose and gain elements, entries change
/// places, values of the header become others. `recording` is one that can be read. `orders` say
/// what is changed; once they are used up nothing is.
std::string changedRecording(std::string_view recording, std::span<const std::byte> orders);

}  // namespace tilestep::fuzz
