// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "features/names.h"
#include "lab/lab.h"
#include "model/scene/traced_kernel.h"
#include "support/source_root.h"

/// Runs and traces a shipped kernel in the interpreter.
namespace tilestep::features {

/// Null if the kernel cannot be run.
inline std::shared_ptr<const TracedKernel> tracedHere(const std::string& kernel,
                                                      const compile::Bindings& sizes,
                                                      const compile::Bindings& tunables,
                                                      const Dim3& block = {0, 0, 0}) {
  lab::Lab interpreter({support::sourceRoot(), "", 1});
  if (!interpreter.compiler()) return nullptr;
  lab::Experiment experiment;
  experiment.source = compile::findKernel(support::sourceRoot() + "/kernels", kernel).value();
  experiment.sizes = sizes;
  experiment.tunables = tunables;
  experiment.device = "simt";
  experiment.measure = false;
  experiment.counters = true;
  experiment.traceBlock = block;
  auto result = interpreter.run(
      experiment, [] { return false; }, nullptr);
  if (!result) return nullptr;
  compile::CatalogueEntry entry{
      experiment.source, compile::parseKernel(experiment.source).value(), {}};
  return traceKernel(entry, lab::shared(std::move(*result)), 1, 4);
}

}  // namespace tilestep::features
