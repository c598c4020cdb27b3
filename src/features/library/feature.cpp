// SPDX-License-Identifier: Apache-2.0
// cuBLAS as a mark on the roofline: the same product at the same sizes, timed in the same way.
#include "model/feature.h"

#include <algorithm>
#include <utility>

#include "base/library_product.h"
#include "compile/front_matter/library_kernel.h"
#include "features/names.h"
#include "lab/figures.h"
#include "model/model.h"
#include "model/roofline_marks.h"

namespace tilestep::features::library {
namespace {

constexpr double kDelaySeconds = 0.5;  ///< Long enough that a moving slider makes no requests.
constexpr Job kJob{"library", Urgency::library};

bool isProduct(const compile::KernelSpec& spec) {
  const auto isFloat = [](const compile::OperandSpec& operand) {
    return operand.kind == OperandKind::scalar || operand.type == ElementType::f32;
  };
  return spec.reference == "matmul" && std::ranges::all_of(spec.operands, isFloat) &&
         spec.sizes.size() == 3 && spec.sizes.contains("m") && spec.sizes.contains("n") &&
         spec.sizes.contains("k");
}

class Library : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return kJob.name; }

  /// Requests cuBLAS after the kernel's own timing, so that no kernel waits for it.
  void want(Model& model) override {
    if (std::exchange(of_, model.resolved) != model.resolved) lookAt(model);
    const bool refused = !wanted_.key.empty() && refusedBy_ == model.resolved->device->id;
    if (wanted_.key.empty() || refused || key_ == wanted_.key || !model.measuredIsCurrent())
      return model.jobs.drop(kJob);
    model.jobs.want(kJob, wanted_, model.now + kDelaySeconds);
  }

  void accept(const Arrival& arrival, Model& model) override {
    const auto* result = worker::resultOf(arrival.reply);
    key_ = result != nullptr ? arrival.key : "";
    mark_.reset();
    if (result == nullptr) {
      // cuBLAS is missing or failed. The roofline omits it, and this device gets no more requests.
      if (const device::DeviceInfo* device = model.resolved->device) refusedBy_ = device->id;
      return;
    }
    const std::optional<double> gflops = lab::gflopsOf(*result);
    if (!gflops) return;  // The recording does not contain cuBLAS.
    const device::Measurement& timing = *result->measurement;
    mark_ =
        ReferenceMark{std::string(libraryTitle(kCublasFp32)), *gflops * 1e9,
                      "NVIDIA's own library (" + result->compiler.name +
                          (result->compiler.version.empty() ? "" : " " + result->compiler.version) +
                          ") on the same inputs at the same sizes, " +
                          (timing.recorded ? "recorded on " : "measured on ") +
                          deviceText(result->device) + ".\n" + timing.method,
                      machineOf(result->device)};
  }

  void addMarks(const Moment& moment, RooflineMarks& to) override {
    const bool whatIf = moment.shared.measures && moment.resolved.known != nullptr;
    if (!whatIf && mark_ && !wanted_.key.empty() && key_ == wanted_.key) to.marks.push_back(*mark_);
  }

 private:
  /// Sets up the same product as the present choice, computed by cuBLAS.
  void lookAt(const Model& model) {
    wanted_ = {};
    const Resolved& resolved = *model.resolved;
    if (!resolved.measures() || !model.measuredExperiment() || !isProduct(*resolved.entry->spec))
      return;
    lab::Experiment experiment;
    experiment.source = compile::libraryKernel(std::string(kCublasFp32)).value();
    experiment.sizes = resolved.measureSizes;
    experiment.device = resolved.device->id;
    experiment.onlyRecorded = !resolved.device->recordedOn.empty();
    experiment.timeoutSeconds = 30;
    wanted_ = std::move(experiment);
  }

  ResolvedPointer of_;  ///< The choice that `wanted_` and `key_` belong to.
  Request wanted_;      ///< Empty if the choice has no cuBLAS counterpart.
  std::string key_;     ///< The kernel that the mark belongs to.
  std::optional<ReferenceMark> mark_;
  std::string refusedBy_;  ///< The id of the device on which cuBLAS failed.
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Library>();
}

}  // namespace tilestep::features::library
