// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>

namespace tilestep::program {

/// The known progress of each stream's work: from a stream to the number of its latest finished
/// work.
using Progress = std::map<uint64_t, uint64_t>;

/// One piece of work: a copy, a fill or a launch.
struct Ticket {
  uint64_t stream = 0;
  uint64_t number = 0;  ///< In its stream, from 1.
  Progress before;      ///< The work that has ended before it begins, regardless of timing.
};

/// Whether `first` ends before `second` begins.
[[nodiscard]] bool isBefore(const Ticket& first, const Ticket& second);

/// The order by streams, events and waits of the host, by the rules of the legacy default
/// stream (CUDA C++ Programming Guide, "Streams" and "Default Stream"): it waits for all work that
/// was issued before in streams that block with it, and these wait for it.
class Order {
 public:
  Order();
  /// Stream 0 is the default stream; streams that were never added are independent of the others.
  void addStream(uint64_t stream, bool blocking);

  /// Work that the host issues now.
  Ticket issue(uint64_t stream);
  /// The host's own work now, before all its later requests.
  Ticket host();
  /// The host has waited for all work of a stream, of the device, or for a recorded event.
  void waitForStream(uint64_t stream);
  void waitForDevice();
  /// ... or for this piece of work.
  void waitFor(const Ticket& ticket);
  void waitForEvent(uint64_t event);
  /// An event is recorded in a stream; a stream waits for it.
  void record(uint64_t event, uint64_t stream);
  void streamWaits(uint64_t stream, uint64_t event);

  /// Whether the host has waited for this work, so that all later work comes after it.
  [[nodiscard]] bool isOver(const Ticket& ticket) const;
  /// ... or for everything that the event comes after.
  [[nodiscard]] bool isReached(uint64_t event) const;

 private:
  struct Stream {
    bool blocking = true;
    uint64_t last = 0;
    Progress known;
  };
  std::map<uint64_t, Stream> streams_;
  std::map<uint64_t, Progress> events_;
  Progress host_;
};

}  // namespace tilestep::program
