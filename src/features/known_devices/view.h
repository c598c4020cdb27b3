// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/devices/what_if.h"
#include "model/view.h"

namespace tilestep::model {

/// What the figures' kernel would be bound to on the known device whose roofs are shown. There is
/// none where the roofs are those of the GPU in use.
struct KnownDeviceView : View {
  static constexpr std::string_view kFeature = "known_devices";
  lab::WhatIf whatIf;
};

}  // namespace tilestep::model
