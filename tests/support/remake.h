// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilestep::support {

/// Whether new outcomes are stored instead of compared: the test program was started with
/// `--remake`.
[[nodiscard]] bool remakes();

}  // namespace tilestep::support
