// SPDX-License-Identifier: Apache-2.0
#include "features/predicted_time/wanted.h"

namespace tilestep::features {
namespace {

/// A launch whose counting takes longer has no prediction.
constexpr double kMostSeconds = 30;

}  // namespace

std::optional<lab::Experiment> predictedExperiment(const Resolved& resolved) {
  const bool isLaunch = resolved.isUsable() && resolved.entry->source.launch != nullptr;
  if (!isLaunch || resolved.measures()) return std::nullopt;
  lab::Experiment experiment;
  experiment.source = resolved.entry->source;
  experiment.device = "simt";
  experiment.seed = kSeed;
  experiment.measure = false;
  experiment.counters = true;
  experiment.timeoutSeconds = kMostSeconds;
  experiment.traceBlock = Dim3{0, 0, 0};
  return experiment;
}

}  // namespace tilestep::features
