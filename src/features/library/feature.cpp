// SPDX-License-Identifier: Apache-2.0
// cuBLAS as a mark on the roofline: the same product at the same sizes, measured alike.
#include "model/feature.h"

#include <algorithm>

#include "base/library_product.h"
#include "compile/front_matter/library_kernel.h"
#include "lab/figures.h"
#include "model/model.h"
#include "model/roofline_marks.h"

namespace tilestep::features::library {
namespace {

using namespace model;

constexpr double kDelaySeconds = 0.5;  ///< A moving slider asks for none.
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

  /// Once the kernel's own time is there, so that no kernel waits for it.
  void want(Model& model) override {
    wantedKey_.clear();
    const Resolved& resolved = *model.resolved;
    const bool fits = model.measuredExperiment() && resolved.measures() &&
                      isProduct(*resolved.entry->spec) && refusedBy_ != resolved.device->id;
    if (!fits) return model.jobs.drop(kJob);
    lab::Experiment experiment;
    experiment.source = compile::libraryKernel(std::string(kCublasFp32)).value();
    experiment.sizes = resolved.measureSizes;
    experiment.device = resolved.device->id;
    experiment.onlyRecorded = !resolved.device->recordedOn.empty();
    experiment.timeoutSeconds = 30;
    wantedKey_ = keyOf(experiment);
    if (key_ == wantedKey_ || !model.measuredIsCurrent()) return model.jobs.drop(kJob);
    model.jobs.want(kJob, std::move(experiment), model.now + kDelaySeconds);
  }

  void accept(const Arrival& arrival, Model& model) override {
    const auto* result = std::get_if<lab::RunResult>(&arrival.reply.body);
    key_ = result != nullptr ? arrival.key : "";
    mark_.reset();
    if (result == nullptr) {
      // It is not here, or cannot: the roofline goes without, and this device is not asked again.
      if (const device::DeviceInfo* device = model.resolved->device) refusedBy_ = device->id;
      return;
    }
    const std::optional<double> gflops = lab::gflopsOf(*result);
    if (!gflops) return;  // A recording without it.
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
    const bool elsewhere = moment.shared.measures && moment.resolved.known != nullptr;
    if (!elsewhere && mark_ && !wantedKey_.empty() && key_ == wantedKey_)
      to.marks.push_back(*mark_);
  }

 private:
  std::string wantedKey_, key_;  ///< Of the present choice; whose mark it is.
  std::optional<ReferenceMark> mark_;
  std::string refusedBy_;  ///< A device's id.
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<Library>();
}

}  // namespace tilestep::features::library
