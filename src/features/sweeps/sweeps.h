// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "features/sweeps/sweep_store.h"
#include "features/sweeps/sweep_view.h"

namespace tilestep::model {

/// What to run of a point, so that `quantity` is known of it.
[[nodiscard]] lab::Experiment experimentOf(const SweepPlan& plan, const SweepPoint& point,
                                           SweepQuantity quantity);

/// The sweep that is shown and the one that runs, which need not be the same. Asks nothing itself:
/// `wanted` is what to ask for next. One thread.
class Sweeps {
 public:
  /// Where points are kept between runs; empty: nowhere.
  explicit Sweeps(std::filesystem::path folder = {}) : store_(std::move(folder)) {}

  /// The picture's points. `recording`: where they come from one that can be read here.
  void show(std::shared_ptr<const SweepPlan> plan,
            const std::shared_ptr<const lab::DeviceRecording>& recording);
  /// No picture.
  void hide();
  /// Points come from these lines of a file alone, until close().
  void open(SweepFile file, std::string name);
  void close();
  [[nodiscard]] const SweepFile* opened() const { return file_ ? &*file_ : nullptr; }
  [[nodiscard]] const std::string& openedName() const { return fileName_; }
  [[nodiscard]] const std::shared_ptr<const SweepPlan>& plan() const { return plan_; }

  /// Runs the points of the picture that have no answer. `again`: all of them anew. Nothing where
  /// there is nothing to run.
  void start(SweepQuantity quantity, bool again);
  /// What has come stays.
  void cancel() { job_.reset(); }
  [[nodiscard]] bool running() const { return job_.has_value(); }

  /// What to ask for now; nothing: nothing runs. The same until its answer has come.
  [[nodiscard]] std::optional<lab::Experiment> wanted() const;
  /// `day`: "2026-11-21".
  void accept(const lab::RunResult& result, const std::string& day);
  /// `lost`: the worker ended. False: too many were lost in a row, and the run has ended.
  bool acceptError(const Error& error, bool lost);
  /// How long the point that was just answered took.
  void took(double seconds);

  /// Grows whenever a point's sample may have changed.
  [[nodiscard]] unsigned version() const { return version_; }
  [[nodiscard]] SweepProgress progress() const;
  /// What is known of a point of the picture; null: nothing.
  [[nodiscard]] const SweepSample* known(const SweepPoint& point) {
    return plan_ ? find(*plan_, point) : nullptr;
  }
  /// What was kept of a point of any plan.
  [[nodiscard]] const SweepSample* kept(const SweepPlan& plan, const SweepPoint& point) {
    return store_.find(ownerOf(plan, plan.series[point.series]), point.key);
  }
  /// See SweepViewInputs. `guess`: seconds a point, before any has run.
  [[nodiscard]] SweepView view(SweepQuantity quantity, std::vector<compile::Bindings> now,
                               std::optional<double> guess);
  /// What could not be read or written since the last call.
  [[nodiscard]] std::vector<Error> takeTrouble();

 private:
  struct Job {
    std::shared_ptr<const SweepPlan> plan;
    SweepQuantity quantity = SweepQuantity::speed;
    std::vector<size_t> points;  ///< Of the plan, in the order they run.
    size_t next = 0;             ///< Into `points`.
    double seconds = 0;          ///< That the points so far took.
    size_t timed = 0;            ///< Their number.
    int lostInARow = 0;
  };
  const SweepSample* find(const SweepPlan& plan, const SweepPoint& point);
  const SweepSample* findInFile(const SweepPlan& plan, const SweepPoint& point) const;
  void put(const SweepSample& sample);

  SweepStore store_;
  std::shared_ptr<const SweepPlan> plan_;
  std::optional<SweepSamples> recorded_;  ///< Of plan_, where it is a recording's.
  std::optional<SweepFile> file_;
  std::string fileName_;
  std::optional<Job> job_;
  std::optional<double> secondsAPoint_;  ///< Of the last run.
  unsigned version_ = 0;
  std::vector<Error> trouble_;
};

}  // namespace tilestep::model
