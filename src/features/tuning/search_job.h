// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>

#include "features/names.h"
#include "features/tuning/view.h"
#include "lab/tune/tuner.h"
#include "model/model.h"

namespace tilestep::features {

/// The subject of notices about the best tunables.
inline constexpr const char* kTunedNotice = "tuned";

/// Chooses these tunables of the main kernel, as a change named `what`.
void chooseTunables(Model& model, const std::string& what, const compile::Bindings& tunables);
/// Chooses the best ones, as one undo step.
void chooseBest(Model& model, const compile::Bindings& tunables);

/// The search that runs in the window, if any, and its requests. For one thread.
class SearchJob {
 public:
  /// No further choice is timed after this many seconds of runs, whether or not they succeed; the
  /// final measurements and the check follow.
  static constexpr double kSeconds = 120;

  /// Whether a GPU is in use, and the main kernel has tunables.
  [[nodiscard]] static bool isPossible(const Resolved& resolved);

  /// Searches the main kernel's tunables for the fastest choice at the measured sizes. `earlier` is
  /// the result of an earlier search. Returns false if that is not possible, or while a search
  /// runs.
  bool start(Model& model, std::optional<compile::Bindings> earlier);
  /// Cancels the search and stores nothing; a notice names the fastest choice so far.
  void cancel(Model& model);
  void accept(const Arrival& arrival, Model& model);
  /// Requests the next run. After the search, stores the result, chooses it if its kernel, GPU and
  /// sizes are still chosen, and reports this in a notice.
  void poll(Model& model);
  /// Whether poll() waits for another thread.
  [[nodiscard]] bool works() const { return listing_.valid() || keeping_.valid(); }
  [[nodiscard]] TuningSearch view(const Model& model, const Resolved& resolved) const;

 private:
  using Kept = Result<std::optional<lab::Tuned>>;
  [[nodiscard]] bool runs() const {
    return listing_.valid() || (search_ && search_->outcome() == nullptr);
  }
  void takeList(Model& model);
  void countTime(const Model& model);
  void stop(Model& model);
  void finish(Model& model);
  [[nodiscard]] static std::string offer(const Resolved& resolved);

  /// Valid while the legal choices are being listed.
  std::future<Result<std::unique_ptr<lab::Tuner>>> listing_;
  std::unique_ptr<lab::Tuner> search_;  ///< Null before and after the search.
  std::string asked_;                   ///< Key of the last request.
  double ran_ = 0;             ///< Total running time of the requests in seconds, without waiting.
  double countedTo_ = 0;       ///< The time up to which `ran_` is counted.
  int lostInARow_ = 0;         ///< Number of lost workers.
  std::future<Kept> keeping_;  ///< Valid while the result is being stored.
};

}  // namespace tilestep::features
