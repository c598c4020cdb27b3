// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/jobs.h"
#include "model/scene/traced_kernel.h"

namespace tilestep::model {

/// Makes traced kernels from long traces on a background thread, one at a time, so that no frame
/// waits for them. Call the functions only on the session's thread.
class TracedKernelMaker {
 public:
  using Make = std::function<std::shared_ptr<const TracedKernel>()>;
  struct Made {
    model::Job job;
    std::string key;
    std::shared_ptr<const TracedKernel> side;  ///< The return value of `make`; may be null.
  };
  /// Replaces the job's task. `make` is called on the background thread.
  void start(const Job& job, std::string key, Make make);
  void drop(const Job& job);
  [[nodiscard]] bool makes(const Job& job, const std::string& key) const;
  [[nodiscard]] bool busy() const;
  /// Results since the last call that are still wanted. Call this often: it begins the next task.
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
  void beginNext();

  std::map<std::string_view, Wanted> wanted_;  ///< By the job's name.
  uint64_t last_ = 0;
  std::deque<Task> tasks_;        ///< Not begun yet.
  uint64_t number_ = 0;           ///< The number of the task in progress.
  std::future<Made> inProgress_;  ///< Its destructor waits.
};

}  // namespace tilestep::model
