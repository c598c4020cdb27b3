// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "features/names.h"
#include "features/sweeps/sweep_import.h"
#include "features/sweeps/sweep_store.h"
#include "features/sweeps/sweep_view.h"

namespace tilestep::features {

/// The experiment that provides `quantity` for a point.
[[nodiscard]] lab::Experiment experimentOf(const SweepPlan& plan, const SweepPoint& point,
                                           SweepQuantity quantity);

/// The sweep that is shown and the one that runs, which may differ. Sends no requests itself:
/// `wanted` is the next request. For one thread.
class Sweeps {
 public:
  /// The user's points, which must outlive this; null: they are not kept between runs.
  explicit Sweeps(Points* points = nullptr) : store_(points) {}

  /// Whether all kept points of the plan have been read; begins to read them otherwise. Points of
  /// a plan that is shown before that are missing.
  [[nodiscard]] bool isRead(const SweepPlan& plan);
  /// Shows a plan. `recording`: the source of its points, if they are from one that can be read
  /// here.
  void show(std::shared_ptr<const SweepPlan> plan,
            const std::shared_ptr<const lab::DeviceRecording>& recording);
  /// Shows no sweep.
  void hide();
  /// Takes points only from these lines of a file, until close().
  void open(SweepFile file, std::string name);
  void close();
  [[nodiscard]] const SweepFile* opened() const { return file_ ? &*file_ : nullptr; }
  [[nodiscard]] const std::string& openedName() const { return fileName_; }
  [[nodiscard]] const std::shared_ptr<const SweepPlan>& plan() const { return plan_; }

  /// Runs the points of the shown plan that have no answer. `again`: reruns all of them. Has no
  /// effect if there is nothing to run.
  void start(SweepQuantity quantity, bool again);
  /// Stops the run; its results so far are kept.
  void cancel() { job_.reset(); }
  [[nodiscard]] bool running() const { return job_.has_value(); }

  /// The next request; nothing: no sweep is running. The same until its answer has arrived.
  [[nodiscard]] std::optional<lab::Experiment> wanted() const;
  /// `day`: "2026-11-21".
  void accept(const lab::RunResult& result, const std::string& day);
  /// `lost`: the worker ended. Returns false if too many were lost in a row, which ends the run.
  bool acceptError(const Error& error, bool lost);
  /// Reports how long the point that was just answered took.
  void took(double seconds);

  /// Grows whenever a point's sample may have changed.
  [[nodiscard]] unsigned version() const { return version_ + store_.version(); }
  [[nodiscard]] SweepProgress progress() const;
  /// The sample of a point of the shown plan; null: none.
  [[nodiscard]] const SweepSample* known(const SweepPoint& point) {
    return plan_ ? find(*plan_, point) : nullptr;
  }
  /// The kept sample of a point of any plan; null: none, or it is still being read.
  [[nodiscard]] const SweepSample* kept(const SweepPlan& plan, const SweepPoint& point) {
    return store_.find(ownerOf(plan, plan.series[point.series]), point.key);
  }
  /// See SweepViewInputs. `guess`: seconds per point, before any has run.
  [[nodiscard]] SweepView view(SweepQuantity quantity, std::vector<compile::Bindings> now,
                               std::optional<double> guess);
  /// The reason why kept points cannot be read, if there is a new one since the last call.
  [[nodiscard]] std::vector<Error> takeTrouble() { return store_.takeTrouble(); }

 private:
  struct Job {
    std::shared_ptr<const SweepPlan> plan;
    SweepQuantity quantity = SweepQuantity::speed;
    std::vector<size_t> points;  ///< Indices of the plan's points, in the order they run.
    size_t next = 0;             ///< Index into `points`.
    double seconds = 0;          ///< Time taken by the points so far.
    size_t timed = 0;            ///< Number of points in `seconds`.
    int lostInARow = 0;
  };
  const SweepSample* find(const SweepPlan& plan, const SweepPoint& point);
  const SweepSample* findInFile(const SweepPlan& plan, const SweepPoint& point) const;
  void put(const SweepSample& sample);

  SweepStore store_;
  std::shared_ptr<const SweepPlan> plan_;
  std::optional<SweepSamples> recorded_;  ///< For plan_, if its points are from a recording.
  std::optional<SweepFile> file_;
  std::string fileName_;
  std::optional<Job> job_;
  std::optional<double> secondsAPoint_;  ///< From the last run.
  unsigned version_ = 0;
};

}  // namespace tilestep::features
