// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/uio.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace tilestep::guest {

/// Pieces of memory that are sent or filled by consecutive system calls.
class Pieces {
 public:
  explicit Pieces(std::span<const iovec> all) : all_(all.begin(), all.end()) { advance(0); }
  [[nodiscard]] bool areDone() const { return first_ == all_.size(); }
  /// As many pieces as one system call accepts, or only the first one.
  [[nodiscard]] std::span<iovec> next(bool alone = false) {
    const size_t most = alone ? 1 : 512;
    return std::span(all_).subspan(first_, std::min(most, all_.size() - first_));
  }
  /// Records that this many bytes were sent or filled.
  void advance(size_t bytes) {
    while (first_ < all_.size() && bytes >= all_[first_].iov_len) bytes -= all_[first_++].iov_len;
    if (first_ == all_.size()) return;
    all_[first_].iov_base = static_cast<char*>(all_[first_].iov_base) + bytes;
    all_[first_].iov_len -= bytes;
  }

 private:
  std::vector<iovec> all_;
  size_t first_ = 0;
};

}  // namespace tilestep::guest
