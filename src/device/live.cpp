// SPDX-License-Identifier: Apache-2.0
#include "device/live.h"

#include "device/device.h"

namespace tilestep::device {

Status Device::live(const Job&, const LiveOrder&, const Cancelled&) {
  return requestError("live mode needs a GPU, and " + info().name +
                      " gives no times: choose a GPU under Device, or a worker on a machine that "
                      "has one (--worker)");
}

}  // namespace tilestep::device
