// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace tilestep {

/// Whether a message of the system, of the loader or of a compiler tells of a lack that the machine
/// may not have at another time: of memory, open files, processes, or room and faultless blocks on
/// a disk. Takes any text.
[[nodiscard]] bool tellsOfShortage(std::string_view message);

}  // namespace tilestep
