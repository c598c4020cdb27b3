// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace tilestep::support {

/// The absolute path of the source tree of this build, without a slash at its end.
[[nodiscard]] const std::string& sourceRoot();

}  // namespace tilestep::support
