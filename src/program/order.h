// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>

namespace tilestep::program {

/// For each stream, the number of its latest work that is known to have finished.
using Progress = std::map<uint64_t, uint64_t>;

/// One piece of work: a copy, a fill or a launch.
struct Ticket {
  uint64_t stream = 0;
  uint64_t number = 0;  ///< Counted within the stream, from 1.
  Progress before;      ///< The work that is certain to have ended before this work begins.
};

/// Whether `first` ends before `second` begins.
[[nodiscard]] bool isBefore(const Ticket& first, const Ticket& second);

/// The order that streams, events and waits of the host imply, with the rules of the legacy default
/// stream (CUDA C++ Programming Guide, "Streams" and "Default Stream"): the default stream waits
/// for all work that was issued before in blocking streams, and blocking streams wait for it.
class Order {
 public:
  Order();
  /// Stream 0 is the default stream. A stream that was never added is independent of all others.
  void addStream(uint64_t stream, bool blocking);

  /// Work that the host issues at this moment.
  Ticket issue(uint64_t stream);
  /// Work that the host does itself at this moment, before all its later requests.
  Ticket host();
  /// The host has waited for a stream, the device, a piece of work, or a recorded event.
  void waitForStream(uint64_t stream);
  void waitForDevice();
  void waitFor(const Ticket& ticket);
  void waitForEvent(uint64_t event);
  /// The host has recorded an event in a stream, or made a stream wait for an event.
  void record(uint64_t event, uint64_t stream);
  void streamWaits(uint64_t stream, uint64_t event);

  /// Whether the host has waited for this work, so that all later work comes after it.
  [[nodiscard]] bool isOver(const Ticket& ticket) const;
  /// Whether the host has waited for everything that the event comes after.
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
