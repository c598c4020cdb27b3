// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>

namespace tilestep::guest {

/// Pages of memory shared by host and device, which are protected while work of the device may use
/// them, so that the host's first access to each is reported. For any thread.
class Guards {
 public:
  static constexpr uint64_t kPage = 4096;

  /// Guards the pages within [begin, end) of a mapping. `mayRead`: only writes of the host are
  /// reported.
  void guard(uint64_t begin, uint64_t end, bool mayRead);
  /// Ends the guard of the address's page. False: it is not guarded.
  bool release(uint64_t address);
  void releaseAll();

 private:
  /// An access costs a signal, so after this many in one piece its guard ends.
  static constexpr unsigned kMostAccesses = 64;
  struct Piece {
    uint64_t end = 0;
    unsigned accesses = 0;
  };

  std::mutex mutex_;
  std::map<uint64_t, Piece> pieces_;  ///< By their first page.
  std::set<uint64_t> released_;       ///< Pages in them without a guard.
};

}  // namespace tilestep::guest
