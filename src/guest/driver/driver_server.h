// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "guest/driver/driver.h"
#include "guest/driver/mirror.h"
#include "guest/driver/times.h"
#include "guest/link.h"

namespace tilestep::guest {

/// Runs the program's work on a GPU, through the driver in the program's own process. Memory,
/// streams, events and times are the driver's. The service has the modules' contents, and receives
/// reports of all work.
class DriverServer : public Server {
 public:
  /// Ends the program if the GPU does not exist.
  DriverServer(Link& link, const Welcome& welcome);
  [[nodiscard]] const DeviceFacts& device() const override { return facts_; }
  int ask(Call call, const void* where, std::span<const iovec> request, Answer* answer) override;

  /// Sends the remaining reports before the program ends.
  void finish();

 private:
  /// A kernel. The service assigned its number, which is its index in `kernels_`.
  struct Kernel {
    void* handle = nullptr;
    std::vector<Parameter> parameters;
  };
  /// Reports a call's result to the service.
  struct Done {
    int error = 0;
    uint64_t made = 0, work = 0;
  };

  void describe(int device);
  /// Also sends the data that the copy reads from the host, if launches are examined.
  void tellCopy(const Done& done, const void* where, Copy copy);
  void tellLaunch(const Done& done, const void* where, std::span<const iovec> request);
  void tell(Call call, const Done& done, const void* where, std::span<const iovec> request);
  int addModule(std::span<const iovec> request, Answer& answer);
  int addFunction(std::span<const iovec> request, Answer& answer);
  int addVariable(std::span<const iovec> request, Answer& answer);
  int allocate(const void* where, const Allocate& wanted, Allocated& got);
  [[nodiscard]] int make(const Allocate& wanted, Allocated& got) const;
  Done release(const Release& wanted);
  Done copy(const Copy& wanted);
  [[nodiscard]] int copyRow(const Copy& wanted) const;
  [[nodiscard]] int copyBox(const Copy& wanted) const;
  Done fill(const Fill& wanted);
  Done launch(const Launch& wanted, const void* parameters);
  Done wait(const Handles& wanted);
  [[nodiscard]] Done query(const Handles& wanted) const;
  Done handles(Call call, const Handles& wanted, Answer* answer);
  /// Whether the stream or event exists. The driver ends a program that uses a destroyed one.
  [[nodiscard]] bool lives(uint64_t handle) const;
  Done note(const Noted& noted);
  [[nodiscard]] int question(Call call, std::span<const iovec> request, Answer& answer) const;
  [[nodiscard]] int occupancy(const Occupancy& wanted, uint64_t& value) const;
  [[nodiscard]] int pointer(const Pointed& wanted, PointerFacts& facts) const;
  [[nodiscard]] void* functionOf(uint32_t number) const;
  void useContext() const;

  Link& link_;
  Driver driver_{};
  DeviceFacts facts_{};
  void* context_ = nullptr;
  Times times_;
  Mirror mirror_;
  std::vector<void*> modules_;  ///< Null if the driver could not load the module.
  std::deque<Kernel> kernels_;
  mutable std::mutex mutex_;
  std::set<uint64_t> streams_, events_;  ///< The streams and events that exist.
};

}  // namespace tilestep::guest
