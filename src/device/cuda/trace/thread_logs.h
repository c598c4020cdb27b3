// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "ptx/rewrite/trace_log.h"

namespace tilestep::cuda {

/// The log of a traced block as it came from the GPU (ptx/rewrite/trace_log.h).
struct ThreadLogs {
  uint32_t room = 0;                         ///< Words that a thread could write.
  std::vector<uint64_t> addresses;           ///< TraceLog::addressCount of them.
  std::vector<uint64_t> wanted;              ///< By thread: words of all its records, also of
                                             ///< those that did not fit.
  std::vector<std::vector<uint32_t>> words;  ///< By warp: [word][lane], as many words as the
                                             ///< longest log of its lanes has.
};

/// An Error where the parts do not fit each other.
Status checkLogs(const ptx::TraceLog& log, const ThreadLogs& logs);

/// One thread's records, read from the first on.
class LogReader {
 public:
  /// Reads the records of `thread`. The logs must have passed checkLogs and must outlive this.
  LogReader(const ThreadLogs& logs, uint32_t thread)
      : words_(logs.words[thread / ptx::TraceLog::kLanes].data()),
        lane_(thread % ptx::TraceLog::kLanes),
        wanted_(logs.wanted[thread]),
        size_(std::min<uint64_t>(wanted_, logs.room)) {}
  /// Reads from a warp's words, [word][lane], of which `room` were there for each lane. They must
  /// outlive this and hold what the lane wrote.
  LogReader(const uint32_t* words, uint32_t lane, uint64_t wanted, uint64_t room)
      : words_(words), lane_(lane), wanted_(wanted), size_(std::min(wanted, room)) {}

  /// The thread wrote more than has been read.
  [[nodiscard]] bool more() const { return position_ < wanted_; }
  /// The next record is there, whole, and is this one.
  [[nodiscard]] bool isAt(const ptx::LogRecord& record) const {
    return position_ + record.words <= size_ && at(position_) == ptx::logMark(record.first);
  }
  /// Whether the log may have had no room for a record of this length, so that what the thread did
  /// next is not known.
  [[nodiscard]] bool isCut(const ptx::LogRecord& record) const {
    return more() && position_ + record.words > size_ && wanted_ > size_;
  }
  /// Moves on to a record that `isAt` found.
  void enter(const ptx::LogRecord& record) {
    record_ = position_;
    position_ += record.words;
  }
  /// A word of the record entered last.
  [[nodiscard]] uint32_t word(uint32_t index) const { return at(record_ + index); }
  /// The address in that record which an access starts from, without the site's offset.
  [[nodiscard]] uint64_t base(const ptx::LogSite& site) const {
    return word(site.baseAt) | uint64_t{word(site.baseAt + 1)} << 32;
  }

 private:
  [[nodiscard]] uint32_t at(uint64_t word) const {
    return words_[word * ptx::TraceLog::kLanes + lane_];
  }

  const uint32_t* words_;
  uint32_t lane_;
  uint64_t wanted_, size_;
  uint64_t record_ = 0, position_ = 0;
};

}  // namespace tilestep::cuda
