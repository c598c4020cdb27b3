// SPDX-License-Identifier: Apache-2.0
#include "features/sums/ladder.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "model/scene/traced_kernel.h"

namespace tilestep::features {
namespace {

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

bool SumLadderRuns::open(const std::vector<compile::CatalogueEntry>& kernels) {
  if (areEqual(kernels, kernels_)) return false;
  kernels_ = kernels;
  next_ = 0;
  ladder_ = {};
  for (const compile::CatalogueEntry& kernel : kernels_) ladder_.rungs.push_back(rungOf(kernel));
  return true;
}

std::optional<Request> SumLadderRuns::wanted() const {
  if (next_ == kernels_.size()) return std::nullopt;
  lab::Experiment experiment;
  experiment.source = kernels_[next_].source;
  experiment.sizes = {{"n", kCountedElements}};
  experiment.device = "simt";
  experiment.measure = false;
  experiment.counters = true;
  return Request(std::move(experiment));
}

void SumLadderRuns::accept(const lab::RunResult& result) {
  if (wanted()) ladder_.rungs[next_++].counts = sumFiguresOf(result);
}

void SumLadderRuns::acceptError(const std::string& message) {
  if (wanted()) ladder_.rungs[next_++].trouble = message;
}

}  // namespace tilestep::features
