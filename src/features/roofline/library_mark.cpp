// SPDX-License-Identifier: Apache-2.0
// cuBLAS as a mark on the roofline: the same product at the same sizes, measured alike.
#include <algorithm>

#include "base/library_product.h"
#include "compile/front_matter/library_kernel.h"
#include "lab/figures.h"
#include "model/planning.h"
#include "model/session.h"

namespace tilestep::model {
namespace {

constexpr double kDelaySeconds = 0.5;  ///< A moving slider asks for none.

bool isProduct(const compile::KernelSpec& spec) {
  const auto isFloat = [](const compile::OperandSpec& operand) {
    return operand.kind == OperandKind::scalar || operand.type == ElementType::f32;
  };
  return spec.reference == "matmul" && std::ranges::all_of(spec.operands, isFloat) &&
         spec.sizes.size() == 3 && spec.sizes.contains("m") && spec.sizes.contains("n") &&
         spec.sizes.contains("k");
}

}  // namespace

/// Once the kernel's own time is there, so that no kernel waits for it.
void Session::wantLibrary(const compile::CatalogueEntry& entry) {
  const device::DeviceInfo* device = resolved_->device;
  wanted_.library.clear();
  const bool fits = device != nullptr && device->measures && isProduct(*entry.spec) &&
                    library_.refusedBy != device->id;
  if (!fits) return requests_.drop(Slot::library);
  lab::Experiment experiment;
  experiment.source = compile::libraryKernel(std::string(kCublasFp32)).value();
  experiment.sizes = resolved_->measureSizes;
  experiment.device = device->id;
  experiment.onlyRecorded = !device->recordedOn.empty();
  experiment.timeoutSeconds = 30;
  wanted_.library = keyOf(experiment);
  const bool measured = measured_.mainKey == wanted_.measureMain && !measured_.mainKey.empty();
  if (library_.key == wanted_.library || !measured) return requests_.drop(Slot::library);
  requests_.want(Slot::library, std::move(experiment), now_ + kDelaySeconds);
}

void Session::acceptLibrary(const std::string& key, const lab::RunResult& result) {
  library_.key = key;
  library_.mark.reset();
  const std::optional<double> gflops = lab::gflopsOf(result);
  if (!gflops) return;  // A recording without it.
  const device::Measurement& timing = *result.measurement;
  library_.mark =
      ReferenceMark{std::string(libraryTitle(kCublasFp32)), *gflops * 1e9,
                    "NVIDIA's own library (" + result.compiler.name +
                        (result.compiler.version.empty() ? "" : " " + result.compiler.version) +
                        ") on the same inputs at the same sizes, " +
                        (timing.recorded ? "recorded on " : "measured on ") +
                        deviceText(result.device) + ".\n" + timing.method,
                    machineOf(result.device)};
}

/// It is not here, or cannot: the roofline goes without, and this device is not asked again.
void Session::libraryFailed() {
  library_ = {};
  if (const device::DeviceInfo* device = resolved_->device) library_.refusedBy = device->id;
}

void Session::addLibraryMark(std::vector<ReferenceMark>& marks) const {
  if (library_.mark && !wanted_.library.empty() && library_.key == wanted_.library)
    marks.push_back(*library_.mark);
}

}  // namespace tilestep::model
