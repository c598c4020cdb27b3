// SPDX-License-Identifier: Apache-2.0
// The predicted time of the chosen launch of a program, on the GPU of the first recording that
// includes predictions of its own points.
#include "model/feature.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compile/program_source.h"
#include "features/predicted_time/view.h"
#include "features/predicted_time/wanted.h"
#include "model/model.h"

namespace tilestep::features::predicted_time {
namespace {

/// Lower urgency than requests for the shown launch itself.
constexpr Job kJob{"predicted_time", Urgency::count};

using Basis = Result<PredictionBasis>;

Basis basisOf(const std::string& home, const Devices& devices) {
  constexpr std::string_view kRecorded = "recorded:";
  Basis basis = requestError("There is no recording of a GPU.");
  for (const device::DeviceInfo& device : devices) {
    if (!device.id.starts_with(kRecorded)) continue;
    basis = readPredictionBasis(home, device.id.substr(kRecorded.size()));
    if (basis) break;
  }
  return basis;
}

PredictedRange without(const std::string& why) {
  PredictedRange range;
  range.why = why;
  return range;
}

PredictedRange rangeOf(const lab::RunResult& result, const Basis& basis) {
  if (!basis) return without(basis.error().message);
  return predictedRange(predictedSpan(result, launchWorkOf(result), basis->device, basis->ceilings),
                        *basis);
}

class PredictedTime : public Feature {
 public:
  [[nodiscard]] std::string_view id() const override { return PredictedTimeView::kFeature; }

  void want(Model& model) override {
    std::optional<lab::Experiment> experiment = predictedExperiment(*model.resolved);
    if (experiment) source_ = experiment->source;
    const Request request = experiment ? Request(std::move(*experiment)) : Request();
    const std::string& wanted = request.key;
    if (std::exchange(wanted_, wanted) != wanted) {
      failure_.reset();  // The launch may succeed when it is chosen again.
      shown_.reset();
    }
    const bool isAnswered = failure_ || ranges_.contains(wanted) ||
                            std::ranges::find(making_, wanted, &Making::key) != making_.end();
    if (wanted.empty() || isAnswered) return model.jobs.drop(kJob);
    model.jobs.want(kJob, request, model.now);
  }

  void accept(const Arrival& arrival, Model& model) override {
    if (const auto* error = std::get_if<Error>(&arrival.reply.body))
      fail(arrival.key, *error, model);
    const auto* result = std::get_if<lab::ResultPointer>(&arrival.reply.body);
    if (result == nullptr) return;
    if (!basis_.valid())
      basis_ = std::async(std::launch::async, basisOf, model.options.home, *model.devices);
    auto make = [kept = *result, basis = basis_] { return rangeOf(*kept, basis.get()); };
    making_.push_back({arrival.key, std::async(std::launch::async, std::move(make))});
  }

  void poll(Model& model) override {
    std::erase_if(making_, [&](Making& making) {
      if (making.range.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
      ranges_[making.key] = making.range.get();
      shown_.reset();
      model.changed = true;
      return true;
    });
  }

  [[nodiscard]] bool works() const override { return !making_.empty(); }

  [[nodiscard]] ViewPointer view(const Moment& /*moment*/) override {
    if (wanted_.empty()) return nullptr;
    if (shown_) return shown_;
    auto view = std::make_shared<PredictedTimeView>();
    view->launch = source_.launch->number;
    view->text = source_.text;
    const auto range = ranges_.find(wanted_);
    view->range = range != ranges_.end() ? std::optional(range->second) : failure_;
    return shown_ = std::move(view);
  }

 private:
  /// A range that another thread is computing.
  struct Making {
    std::string key;
    std::future<PredictedRange> range;
  };

  void fail(const std::string& key, const Error& error, Model& model) {
    if (key != wanted_) return;
    failure_ = without(error.message);
    shown_.reset();
    model.changed = true;
  }

  compile::KernelSource source_;  ///< The chosen launch's source.
  std::string wanted_;  ///< keyOf the chosen launch's experiment; empty if no launch is chosen.
  std::map<std::string, PredictedRange> ranges_;  ///< By keyOf the experiment.
  /// Set if the wanted launch could not be counted; says why.
  std::optional<PredictedRange> failure_;
  std::vector<Making> making_;
  std::shared_future<Basis> basis_;  ///< Read once, when it is first needed.
  ViewPointer shown_;
};

}  // namespace

std::unique_ptr<Feature> make() {
  return std::make_unique<PredictedTime>();
}

}  // namespace tilestep::features::predicted_time
