// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "worker/client.h"

namespace tilestep::worker {

/// Several workers that share a list of experiments. Each worker gets one experiment at a time, and
/// the next one as soon as it has answered. If a worker ends during an experiment, the experiment
/// is tried once more, on another worker if there is one. A worker that is still starting, for
/// example in a cluster's queue, gets no experiment. A worker that can no longer be started leaves
/// the crew. Not thread-safe.
class Crew {
 public:
  using Outcome = Result<lab::RunResult>;
  struct Events {
    /// Called with the outcome of experiment `index`, in the order of the experiments.
    std::function<void(size_t index, Outcome outcome)> done;
    /// Called about every millisecond; true ends the run.
    std::function<bool()> interrupted;
    /// Called equally often, with the number of finished experiments and the newest progress.
    std::function<void(size_t finished, const std::optional<Progress>& progress)> tick;
    /// A worker has left the crew. The other workers continue.
    std::function<void(const Error& why)> left;
  };

  /// `shares` numbers the clients of each machine from 0, so that their workers use different GPUs
  /// if the experiment leaves the device open. If empty, all are number 0.
  explicit Crew(std::vector<std::unique_ptr<Client>> clients, std::vector<unsigned> shares = {});

  /// Runs `experiments` from index `first` on. An Error if no worker remains; earlier outcomes have
  /// been reported. May be called again, which cancels the rest of an interrupted run.
  Status run(const std::vector<lab::Experiment>& experiments, size_t first, const Events& events);

 private:
  struct Task {
    size_t index = 0;
    std::optional<size_t> lostBy;  ///< The member whose worker ended during the task.
  };
  struct Member {
    std::unique_ptr<Client> client;
    unsigned share = 0;
    std::optional<Task> task;
    uint64_t request = 0;
    bool left = false;
  };
  void startAnew();
  void giveOut(const std::vector<lab::Experiment>& experiments);
  std::optional<Task> taskFor(size_t member);
  void take(size_t member, Reply reply, const Events& events);
  [[nodiscard]] size_t present() const;

  std::vector<Member> members_;
  std::deque<Task> waiting_;
  /// Not reported yet, because an earlier outcome is missing.
  std::map<size_t, Outcome> finished_;
  Error lastReason_;
};

}  // namespace tilestep::worker
