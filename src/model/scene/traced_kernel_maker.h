// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "model/jobs.h"
#include "model/scene/traced_kernel.h"

namespace tilestep::model {

/// Makes traced kernels from long traces on a background thread, so that no frame waits for them.
/// Call the functions only on the session's thread.
class TracedKernelMaker {
 public:
  using Make = std::function<std::shared_ptr<const TracedKernel>()>;
  struct Made {
    model::Job job;
    std::string key;
    std::shared_ptr<const TracedKernel> side;  ///< The return value of `make`; may be null.
  };
  TracedKernelMaker() = default;
  ~TracedKernelMaker();  ///< Waits for the task in progress.
  TracedKernelMaker(const TracedKernelMaker&) = delete;
  TracedKernelMaker& operator=(const TracedKernelMaker&) = delete;

  /// Replaces the task in progress for the job. `make` is called on the background thread.
  void start(const Job& job, std::string key, Make make);
  void drop(const Job& job);
  [[nodiscard]] bool makes(const Job& job, const std::string& key) const;
  [[nodiscard]] bool busy() const;
  /// Results since the last call that are still wanted.
  [[nodiscard]] std::vector<Made> take();

 private:
  struct Task {
    model::Job job;
    std::string key;
    Make make;
    uint64_t number = 0;
  };
  struct Wanted {
    uint64_t number = 0;  ///< 0 if nothing is wanted.
    std::string key;
  };
  void work();

  std::map<std::string_view, Wanted> wanted_;  ///< By the job's name.
  uint64_t last_ = 0;
  std::thread thread_;
  std::mutex mutex_;  ///< Guards the members below.
  std::condition_variable changed_;
  std::deque<Task> tasks_;
  std::vector<std::pair<uint64_t, Made>> done_;
  bool ends_ = false;
};

}  // namespace tilestep::model
