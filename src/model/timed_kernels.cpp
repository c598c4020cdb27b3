// SPDX-License-Identifier: Apache-2.0
#include "model/timed_kernels.h"

#include <algorithm>

namespace tilestep::model {

std::vector<const LabKernel*> timedKernels(const Lab* lab) {
  std::vector<const LabKernel*> kernels;
  if (lab == nullptr) return kernels;
  for (const LabKernel& kernel : lab->kernels)
    if (!kernel.timedSizes.empty()) kernels.push_back(&kernel);
  return kernels;
}

std::optional<lab::Experiment> timedExperiment(const LabKernel& kernel, const Resolved& resolved) {
  const compile::CatalogueEntry* entry = resolved.find(kernel.name);
  if (!resolved.measures() || entry == nullptr || !entry->spec) return std::nullopt;
  lab::Experiment experiment;
  experiment.source = entry->source;
  experiment.sizes = kernel.timedSizes;
  experiment.tunables = timedTunablesOf(kernel);
  experiment.device = resolved.device->id;
  experiment.onlyRecorded = !resolved.isLive();
  return experiment;
}

std::string timedOnText(const std::vector<std::string>& devices) {
  std::vector<std::string> named;
  for (const std::string& device : devices)
    if (!device.empty() && std::ranges::find(named, device) == named.end()) named.push_back(device);
  std::string text;
  for (const std::string& device : named) text += (text.empty() ? "Timed on " : "; ") + device;
  return text.empty() ? text : text + ".";
}

}  // namespace tilestep::model
