// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "features/names.h"

namespace tilestep::features {

/// Compares by the number at the beginning of the file's name, so that 10 follows 9, then by the
/// whole name. Files without a number come last.
[[nodiscard]] bool comesBefore(const std::string& file, const std::string& other);

}  // namespace tilestep::features
