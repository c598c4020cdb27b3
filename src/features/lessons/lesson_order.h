// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "features/names.h"

namespace tilestep::features {

/// The order of lessons: by the number that the file's name begins with, so that 10 follows 9, and
/// then by the whole name. Files whose names begin with no number come last.
[[nodiscard]] bool comesBefore(const std::string& file, const std::string& other);

}  // namespace tilestep::features
