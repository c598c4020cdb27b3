// SPDX-License-Identifier: Apache-2.0
#include "features/sums/ladder.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "model/scene/traced_kernel.h"

namespace tilestep::model {
namespace {

constexpr double kElementBytes = 4;

lab::Experiment experimentOf(const compile::CatalogueEntry& kernel, int64_t elements) {
  lab::Experiment experiment;
  experiment.source = kernel.source;
  experiment.sizes = {{"n", elements}};
  return experiment;
}

SumRung rungOf(const compile::CatalogueEntry& kernel) {
  SumRung rung;
  rung.kernel = kernel.spec ? kernel.spec->name : kernel.source.path;
  rung.name = shortNameOf(rung.kernel);
  if (kernel.spec) rung.summary = kernel.spec->summary;
  return rung;
}

bool areEqual(const std::vector<compile::CatalogueEntry>& a,
              const std::vector<compile::CatalogueEntry>& b) {
  return std::ranges::equal(a, b, [](const auto& left, const auto& right) {
    return left.source.path == right.source.path && left.source.text == right.source.text;
  });
}

}  // namespace

std::optional<double> readRateOf(const SumRung& rung) {
  if (!rung.seconds || *rung.seconds <= 0) return std::nullopt;
  return kElementBytes * static_cast<double>(kTimedElements) / *rung.seconds;
}

bool SumLadderRuns::open(const std::vector<compile::CatalogueEntry>& kernels,
                         const device::DeviceInfo* device) {
  const std::string id = device == nullptr ? "" : device->id;
  if (id == device_ && areEqual(kernels, kernels_)) return false;
  kernels_ = kernels;
  device_ = id;
  recorded_ = device != nullptr && !device->recordedOn.empty();
  next_ = 0;
  ladder_ = {};
  ladder_.recorded = recorded_;
  if (device != nullptr) ladder_.device = deviceText(*device);
  for (const compile::CatalogueEntry& kernel : kernels_) ladder_.rungs.push_back(rungOf(kernel));
  return true;
}

std::optional<lab::Experiment> SumLadderRuns::wanted() const {
  if (isCounting()) {
    lab::Experiment experiment = experimentOf(kernels_[next_], kCountedElements);
    experiment.device = "simt";
    experiment.measure = false;
    experiment.counters = true;
    return experiment;
  }
  if (device_.empty() || next_ >= 2 * kernels_.size()) return std::nullopt;
  lab::Experiment experiment = experimentOf(kernels_[next_ - kernels_.size()], kTimedElements);
  experiment.device = device_;
  experiment.onlyRecorded = recorded_;
  return experiment;
}

void SumLadderRuns::accept(const lab::RunResult& result) {
  if (!wanted()) return;
  SumRung& rung = ladder_.rungs[next_ % kernels_.size()];
  if (isCounting()) {
    rung.counts = sumFiguresOf(result);
  } else {
    rung.isTimed = true;
    if (result.measurement) rung.seconds = result.measurement->medianMs / 1e3;
    if (result.machineCeilings) ladder_.ceiling = result.machineCeilings->dramBytesPerSecond;
  }
  ++next_;
}

void SumLadderRuns::acceptError(const std::string& message) {
  if (!wanted()) return;
  SumRung& rung = ladder_.rungs[next_ % kernels_.size()];
  isCounting() ? void(rung.trouble = message) : void(rung.isTimed = true);
  ++next_;
}

}  // namespace tilestep::model
