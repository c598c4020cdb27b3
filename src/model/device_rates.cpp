// SPDX-License-Identifier: Apache-2.0
#include "model/device_rates.h"

#include "metrics/occupancy.h"

namespace tilestep::model {

metrics::DeviceRates ratesOf(const device::DeviceInfo& info, const device::Ceilings* ceilings) {
  metrics::DeviceRates rates;
  rates.multiprocessors = info.multiprocessors;
  rates.clockHz = info.clockMhz * 1e6;
  rates.l2Bytes = info.l2Bytes;
  if (const auto capability =
          metrics::parseComputeCapability(info.computeCapability.value_or(""))) {
    rates.computeMajor = capability->major;
    rates.computeMinor = capability->minor;
  }
  if (ceilings == nullptr) return rates;
  rates.fp32FlopPerSecond = ceilings->fp32FlopPerSecond;
  rates.l2BytesPerSecond = ceilings->l2BytesPerSecond;
  rates.dramBytesPerSecond = ceilings->dramBytesPerSecond;
  return rates;
}

std::optional<metrics::Latencies> latenciesOf(const device::Ceilings& ceilings) {
  const device::Ceilings& c = ceilings;
  if (!c.dramLatencySeconds || !c.l2LatencySeconds || !c.l1LatencySeconds ||
      !c.sharedLatencySeconds || !c.barrierSeconds || !c.instructionSeconds ||
      !c.blockStartSeconds || !c.kernelStartSeconds)
    return std::nullopt;
  return metrics::Latencies{*c.dramLatencySeconds,   *c.l2LatencySeconds,  *c.l1LatencySeconds,
                            *c.sharedLatencySeconds, *c.barrierSeconds,    *c.instructionSeconds,
                            *c.blockStartSeconds,    *c.kernelStartSeconds};
}

}  // namespace tilestep::model
