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
  /// No further choice is timed after so many seconds of runs, whether or not they succeed; the
  /// last measurements and the check come after them.
  static constexpr double kSeconds = 120;

  /// Whether a GPU is in use, and the main kernel has tunables.
  [[nodiscard]] static bool isPossible(const Resolved& resolved);

  /// Searches the main kernel's tunables for the fastest choice at the measured sizes. `earlier`:
  /// what an earlier search found. False where that is not possible, and while a search runs.
  bool start(Model& model, std::optional<compile::Bindings> earlier);
  /// Keeps nothing; a notice names the fastest choice so far.
  void cancel(Model& model);
  void accept(const Arrival& arrival, Model& model);
  /// Requests the next run. Once the search is over, keeps what it found, chooses it if its kernel,
  /// GPU and sizes are still chosen, and says so in a notice.
  void poll(Model& model);
  /// Whether poll() waits for another thread.
  [[nodiscard]] bool works() const { return listing_.valid() || keeping_.valid(); }
  [[nodiscard]] TuningSearch view(const Model& model, const Resolved& resolved) const;

 private:
  using Kept = Result<std::optional<lab::Tuned>>;
  [[nodiscard]] bool runs() const { return search_ || listing_.valid(); }
  void takeList(Model& model);
  void countTime(const Model& model);
  void stop(Model& model);
  [[nodiscard]] static std::string offer(const Resolved& resolved);
  void keep(Model& model);
  void takeKept(Model& model);

  std::future<Result<std::unique_ptr<lab::Tuner>>> listing_;  ///< Valid: a search begins.
  std::unique_ptr<lab::Tuner> search_;
  std::string asked_;     ///< Key of the last request.
  double ran_ = 0;        ///< Seconds that the requests have run. Waiting does not count.
  double countedTo_ = 0;  ///< The time up to which `ran_` is counted.
  int lostInARow_ = 0;    ///< Workers.
  std::unique_ptr<lab::Tuner> over_;  ///< The last search, while its choice is being kept.
  std::future<Kept> keeping_;         ///< Valid: its choice is being kept.
};

}  // namespace tilestep::features
