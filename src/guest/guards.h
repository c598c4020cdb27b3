// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>

namespace tilestep::guest {

/// Pages of memory that host and device share, taken from the host while work of the device may use
/// them: so Tilestep hears of the host's first access to each. Any thread may use it.
class Guards {
 public:
  static constexpr uint64_t kPage = 4096;

  /// Guards the pages that the piece fills: [begin, end) of a mapping. `mayRead`: only the host's
  /// writes are of interest.
  void guard(uint64_t begin, uint64_t end, bool mayRead);
  /// Gives back the page of the address. False: it is not guarded.
  bool release(uint64_t address);
  void releaseAll();

 private:
  /// An access costs a signal, so after so many in one piece the rest of it is given back.
  static constexpr unsigned kMostAccesses = 64;
  struct Piece {
    uint64_t end = 0;
    unsigned accesses = 0;
  };

  std::mutex mutex_;
  std::map<uint64_t, Piece> pieces_;  ///< By their first page.
  std::set<uint64_t> released_;       ///< Pages of these that are the host's again.
};

}  // namespace tilestep::guest
