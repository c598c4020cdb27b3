// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace tilestep {

/// Whether a message of the system, the loader or a compiler reports that a resource of the machine
/// was exhausted, which may be available again later: memory, open files, processes, or sound
/// blocks of a disk. Accepts any text.
[[nodiscard]] bool isResourceExhaustion(std::string_view message);

}  // namespace tilestep
