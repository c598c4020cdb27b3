// SPDX-License-Identifier: Apache-2.0
#include "features/lab_times/times.h"

#include "lab/figures.h"
#include "lab/recording/recording.h"
#include "model/scene/traced_kernel.h"
#include "model/text/traffic.h"

namespace tilestep::features {

LabTime labTimeOf(const LabKernel& kernel) {
  LabTime time;
  time.name = kernel.name;
  time.kernel = kernel.label.empty() ? shortNameOf(kernel.name) : kernel.label;
  time.tunables = lab::pointText({}, timedTunablesOf(kernel));
  time.sizes = sizesText(kernel.timedSizes);
  time.quoted = kernel.quoted;
  return time;
}

LabTime labTimeOf(const LabKernel& kernel, const lab::RunResult& result,
                  const std::optional<LaunchWork>& work, const device::Ceilings* ceilings) {
  LabTime time = labTimeOf(kernel);
  if (result.measurement && result.measurement->medianMs > 0) {
    time.measuredSeconds = result.measurement->medianMs / 1e3;
    time.on = deviceText(result.device);
    time.readBytes = lab::compulsoryReadBytesOf(result.plan);
  } else {
    time.gap = result.nearest ? result.nearest->why : "This device gives no times.";
  }
  const device::Ceilings* own = result.machineCeilings ? &*result.machineCeilings : ceilings;
  if (own != nullptr) time.readCeiling = own->dramBytesPerSecond;
  if (!work || own == nullptr) return time;
  if (const auto predicted = predictedTime(result, *work, result.device, *own)) {
    time.predictedSeconds = predicted->seconds;
    time.limit = predicted->limit;
  }
  return time;
}

std::string predictionNote() {
  return "The prediction uses what was counted, and rates and latencies measured on the same "
         "GPU. The blocks of a multiprocessor share its resources, and each block also waits "
         "for its own loads and barriers.";
}

}  // namespace tilestep::features
