// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace tilestep {

/// Whether a message of the system, the loader or a compiler reports a shortage that may pass: too
/// little memory or disk space, too many open files or processes, or a disk error.
[[nodiscard]] bool isResourceExhaustion(std::string_view message);

}  // namespace tilestep
