// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "features/names.h"
#include "lab/devices/what_if.h"
#include "model/view.h"

namespace tilestep::features {

/// The kernel's bounds on the known device with the shown roofs; absent for the GPU in use.
struct KnownDeviceView : View {
  static constexpr std::string_view kFeature = "known_devices";
  lab::WhatIf whatIf;
};

}  // namespace tilestep::features
