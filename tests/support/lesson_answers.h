// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilestep::support {

/// The right answer to the question of a shipped lesson's step
/// ("1-why-tile/what-four-threads-read"), worked out from sizes, tile widths and the hardware's
/// rules alone, apart from what the program runs or reads. For choices: the words of the right one.
/// Empty: it has not been worked out.
[[nodiscard]] std::string lessonAnswer(const std::string& step);

}  // namespace tilestep::support
