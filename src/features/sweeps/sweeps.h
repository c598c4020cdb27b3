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

/// The shown sweep and the running one, which may differ. Sends no requests itself: `wanted` is the
/// next request. For one thread.
class Sweeps {
 public:
  /// The user's points, which must outlive this; if null, points are not kept between runs.
  explicit Sweeps(Points* points = nullptr) : store_(points) {}

  /// Whether all kept points of the plan have been read; begins to read them otherwise. A plan that
  /// is shown earlier misses points.
  [[nodiscard]] bool isRead(const SweepPlan& plan);
  /// Shows a plan. `recording` has its points; null if they are not from a recording, or from one
  /// that cannot be read here.
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

  /// Runs the points of the shown plan that have no answer; all of them if none is left, or with
  /// `again`. Has no effect on the points of a file or of a recording.
  void start(SweepQuantity quantity, bool again);
  /// Stops the run; its results so far are kept.
  void cancel() { job_.reset(); }
  [[nodiscard]] bool running() const { return job_.has_value(); }

  /// The next request, the same until its answer has arrived; absent if no sweep runs.
  [[nodiscard]] std::optional<lab::Experiment> wanted() const;
  /// `day`: "2026-11-21".
  void accept(const lab::RunResult& result, const std::string& day);
  /// `lost`: the worker ended. Returns false if three were lost in a row, which ends the run.
  bool acceptError(const Error& error, bool lost);

  /// Grows whenever a point's sample may have changed.
  [[nodiscard]] unsigned version() const { return version_ + store_.version(); }
  [[nodiscard]] SweepProgress progress() const;
  /// The sample of a point of the shown plan; null if there is none.
  [[nodiscard]] const SweepSample* known(const SweepPoint& point) {
    return plan_ ? find(*plan_, point) : nullptr;
  }
  /// The kept sample of a point of any plan; null if there is none, or while it is being read.
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
  void put(const SweepSample& sample);

  SweepStore store_;
  std::shared_ptr<const SweepPlan> plan_;
  /// All samples for plan_, if they are from a file or from a recording that can be read here.
  std::optional<SweepSamples> fixed_;
  std::optional<SweepFile> file_;
  std::string fileName_;
  std::optional<Job> job_;
  std::optional<double> secondsAPoint_;  ///< From the last run.
  unsigned version_ = 0;
};

}  // namespace tilestep::features
