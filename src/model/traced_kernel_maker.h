// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "model/requests.h"
#include "model/traced_kernel.h"

namespace tilestep::model {

/// Makes the sides of long traces on a thread of its own, so that no frame waits for one. Its
/// functions are for one thread, the session's.
class TracedKernelMaker {
 public:
  using Make = std::function<std::shared_ptr<const TracedKernel>()>;
  struct Made {
    Slot slot = Slot::sceneMain;
    std::string key;
    std::shared_ptr<const TracedKernel> side;  ///< What `make` returned; may be null.
  };
  TracedKernelMaker() = default;
  ~TracedKernelMaker();  ///< Waits for what is being made.
  TracedKernelMaker(const TracedKernelMaker&) = delete;
  TracedKernelMaker& operator=(const TracedKernelMaker&) = delete;

  /// Takes the place of what was being made for the slot. `make` is called on another thread.
  void start(Slot slot, std::string key, Make make);
  /// What is being made for the slot is no longer wanted.
  void drop(Slot slot);
  [[nodiscard]] bool makes(Slot slot, const std::string& key) const;
  [[nodiscard]] bool busy() const;
  /// What was made since the last call and is still wanted.
  [[nodiscard]] std::vector<Made> take();

 private:
  struct Job {
    Slot slot;
    std::string key;
    Make make;
    uint64_t number = 0;
  };
  struct Wanted {
    uint64_t number = 0;  ///< 0: nothing is.
    std::string key;
  };
  void work();

  std::array<Wanted, kSlots> wanted_;
  uint64_t last_ = 0;
  std::thread thread_;
  std::mutex mutex_;  ///< Guards what follows.
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  std::vector<std::pair<uint64_t, Made>> done_;
  bool ends_ = false;
};

}  // namespace tilestep::model
