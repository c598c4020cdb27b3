// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilestep::support {

/// The right answer to the question of a shipped lesson's step
/// ("1-why-tile/what-four-threads-read"), computed only from sizes, tile widths and the hardware's
/// rules, not from anything that the program runs or reads. For choices, the text of the right
/// choice. Empty if no answer has been computed.
[[nodiscard]] std::string lessonAnswer(const std::string& step);

}  // namespace tilestep::support
