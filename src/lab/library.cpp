// SPDX-License-Identifier: Apache-2.0
#include "lab/library.h"

#include "base/library_product.h"
#include "compile/front_matter/library_kernel.h"
#include "device/library.h"

namespace tilestep::lab {

bool isLibraryExperiment(const Experiment& experiment) {
  return isLibraryProduct(experiment.source.path);
}

Status checkLibrary(const Experiment& experiment, const device::DeviceInfo& info) {
  const std::string& name = experiment.source.path;
  const auto own = compile::libraryKernel(name);
  if (!own || own->text != experiment.source.text || !experiment.source.frontMatter.empty()) {
    return requestError(name + " is a library product, so a source cannot be given for it");
  }
  const bool recorded = !info.recordedOn.empty();
  if (!recorded && !info.computeCapability) {
    return requestError(name +
                        " is NVIDIA's library, which runs only on a GPU; choose a GPU (--device " +
                        "cuda:0), another machine's (--worker), or a recording that holds it");
  }
  if (experiment.traceBlock) {
    return requestError(
        name + " shows no steps, because it is machine code; trace another kernel instead");
  }
  if (recorded && experiment.check && !experiment.onlyRecorded) {
    return requestError(name + " cannot be checked on a recording, because nothing runs there; " +
                        "omit --check, or use a GPU");
  }
  return {};
}

Result<std::shared_ptr<const compile::Compiled>> libraryAsCompiled(bool recorded) {
  auto compiled = std::make_shared<compile::Compiled>();
  compiled->module = std::make_shared<const ptx::Module>();
  compiled->compilerName = "cuBLAS";
  compiled->cached = true;
  if (recorded) return std::shared_ptr<const compile::Compiled>(std::move(compiled));
  const Result<std::string> version = device::cublasVersion();
  if (!version) return version.error();
  compiled->compilerVersion = *version;
  return std::shared_ptr<const compile::Compiled>(std::move(compiled));
}

Experiment withoutInstructions(Experiment experiment) {
  experiment.counters = experiment.timeline = experiment.timings = false;
  return experiment;
}

}  // namespace tilestep::lab
