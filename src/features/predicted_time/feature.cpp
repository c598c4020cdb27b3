// SPDX-License-Identifier: Apache-2.0
// A predicted time for the chosen launch of a program, on the GPU of the first recording that comes
// with predictions of its own points.
#include "model/feature.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "compile/program_source.h"
#include "features/predicted_time/view.h"
#include "features/predicted_time/wanted.h"
#include "model/model.h"

namespace tilestep::features::predicted_time {
namespace {

using namespace model;

/// It gives way to all that is shown of the launch itself.
constexpr Job kJob{"predicted_time", Urgency::count};

Result<PredictionBasis> basisOf(const Model& model) {
  constexpr std::string_view kRecorded = "recorded:";
  Result<PredictionBasis> basis = requestError("No recording of a GPU is here.");
  for (const device::DeviceInfo& device : *model.devices) {
    if (!device.id.starts_with(kRecorded)) continue;
    basis = readPredictionBasis(model.options.home, device.id.substr(kRecorded.size()));
    if (basis) break;
  }
  return basis;
}

/// Whether a warp loads so often between two waits that the machine code decides how many of its
/// loads wait together: the model takes all of them to.
bool waitsAreUnknown(const lab::RunResult& result, const std::optional<LaunchWork>& work) {
  constexpr double kMostLoadsAWait = 8;
  if (!result.counters || !work || !work->waits || result.plan.launches.empty()) return false;
  const Launch& launch = result.plan.launches.front();
  const double warps = static_cast<double>(launch.grid.count()) *
                       static_cast<double>((launch.block.count() + 31) / 32);
  const double loads = static_cast<double>(result.counters->total.globalLoad.requests) / warps;
  return loads > kMostLoadsAWait * std::max(1.0, work->waits->beyondL1 + work->waits->l1);
}

/// `basis` is there.
PredictedRange rangeOf(const lab::RunResult& result, const PredictionBasis& basis) {
  const std::optional<LaunchWork> work = launchWorkOf(result);
  PredictedRange range =
      predictedRange(predictedSpan(result, work, basis.device, basis.ceilings), basis);
  if (!range.why.empty() || !waitsAreUnknown(result, work)) return range;
  range.low = range.high = 0;
  range.why =
      "Its warps load many times with no barrier in between, and how many of these loads wait "
      "together is known from the machine code alone.";
  return range;
}

class PredictedTime : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return PredictedTimeView::kFeature; }

  void want(Model& model) override {
    std::optional<lab::Experiment> experiment = predictedExperiment(*model.resolved);
    if (experiment) source_ = experiment->source;
    const std::string wanted = experiment ? keyOf(*experiment) : "";
    if (std::exchange(wanted_, wanted) != wanted) shown_.reset();
    if (!experiment || ranges_.contains(wanted)) return model.jobs.drop(kJob);
    model.jobs.want(kJob, std::move(*experiment), model.now);
  }

  void accept(const Arrival& arrival, Model& model) override {
    PredictedRange& range = ranges_[arrival.key];
    if (!basis_) basis_ = basisOf(model);
    if (const auto* error = std::get_if<Error>(&arrival.reply.body))
      range.why = error->message;
    else if (!*basis_)
      range.why = basis_->error().message;
    else if (const auto* result = std::get_if<lab::RunResult>(&arrival.reply.body))
      range = rangeOf(*result, **basis_);
    shown_.reset();
    model.changed = true;
  }

  [[nodiscard]] ViewPointer view(const Moment& /*moment*/) override {
    if (wanted_.empty()) return nullptr;
    if (shown_) return shown_;
    auto view = std::make_shared<PredictedTimeView>();
    view->launch = source_.launch->number;
    view->text = source_.text;
    const auto range = ranges_.find(wanted_);
    if (range != ranges_.end()) view->range = range->second;
    return shown_ = std::move(view);
  }

 private:
  compile::KernelSource source_;  ///< Of the chosen launch.
  std::string wanted_;  ///< keyOf the experiment of the chosen launch; empty: there is none.
  std::map<std::string, PredictedRange> ranges_;  ///< By keyOf the experiment.
  std::optional<Result<PredictionBasis>> basis_;  ///< Read once, when it is first needed.
  ViewPointer shown_;
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<PredictedTime>();
}

}  // namespace tilestep::features::predicted_time
