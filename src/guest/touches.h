// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilestep::guest {

/// From now on, a host access to device memory is reported to the service before it ends the
/// program, as it would on a machine with a GPU.
void watchTouches();

}  // namespace tilestep::guest
