// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>

namespace tilestep::guest {

/// Protects pages of memory that host and device share while work of the device may use them, so
/// that the host's first access to each page is reported. Thread-safe.
class Guards {
 public:
  static constexpr uint64_t kPage = 4096;

  /// Guards the pages in [begin, end) of a mapping. If `mayRead`, only host writes are reported.
  void guard(uint64_t begin, uint64_t end, bool mayRead);
  /// Ends the guard of the page that contains the address. False if the page is not guarded.
  bool release(uint64_t address);
  void releaseAll();

 private:
  /// Each access costs a signal, so the guard of a piece ends after this many accesses.
  static constexpr unsigned kMostAccesses = 64;
  struct Piece {
    uint64_t end = 0;
    unsigned accesses = 0;
  };

  std::mutex mutex_;
  std::map<uint64_t, Piece> pieces_;  ///< By the address of their first page.
  std::set<uint64_t> released_;       ///< Pages of these pieces that are no longer guarded.
};

}  // namespace tilestep::guest
