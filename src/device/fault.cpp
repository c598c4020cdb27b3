// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string_view>

#include "device/device.h"

namespace tilestep::device {

bool endsLaunch(const Fault& fault) {
  // A time limit and differing results are found beside a launch that ended.
  constexpr std::array<std::string_view, 8> kOnlyReported{
      "outside-row", "read-only",         "uninitialised-copy", "uninitialised-read",
      "wrong-mask",  "divergent-barrier", "time-limit",         "results-differ"};
  return std::ranges::find(kOnlyReported, fault.kind) == kOnlyReported.end();
}

}  // namespace tilestep::device
