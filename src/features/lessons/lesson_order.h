// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilestep::model {

/// Whether a lesson's file comes before another in the list: by the numbers that their names begin
/// with, so that "10-latency.md" follows "9-access-patterns.md", and then by name. Files without a
/// number come last.
[[nodiscard]] bool comesBefore(const std::string& file, const std::string& other);

}  // namespace tilestep::model
