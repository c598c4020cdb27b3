// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "ptx/rewrite/trace_log.h"

namespace tilestep::cuda {

/// The log of a traced block, as copied from the GPU (ptx/rewrite/trace_log.h).
struct ThreadLogs {
  uint32_t room = 0;                ///< Capacity per thread, in words.
  std::vector<uint64_t> addresses;  ///< TraceLog::addressCount entries.
  /// By thread: the words of all its records, including records that did not fit.
  std::vector<uint64_t> wanted;
  std::vector<std::vector<uint32_t>> words;  ///< By warp: [word][lane], up to its longest log.
};

/// An Error if the parts are inconsistent.
Status checkLogs(const ptx::TraceLog& log, const ThreadLogs& logs);

/// Reads one thread's records in order.
class LogReader {
 public:
  /// Reads the records of `thread`. The logs must have passed checkLogs and must outlive this.
  LogReader(const ThreadLogs& logs, uint32_t thread)
      : words_(logs.words[thread / ptx::TraceLog::kLanes].data()),
        lane_(thread % ptx::TraceLog::kLanes),
        wanted_(logs.wanted[thread]),
        size_(std::min<uint64_t>(wanted_, logs.room)) {}
  /// Reads from a warp's words, [word][lane], with `room` words for each lane. The words must
  /// outlive this and hold everything that the lane wrote.
  LogReader(const uint32_t* words, uint32_t lane, uint64_t wanted, uint64_t room)
      : words_(words), lane_(lane), wanted_(wanted), size_(std::min(wanted, room)) {}

  /// Whether the thread wrote more than has been read.
  [[nodiscard]] bool more() const { return position_ < wanted_; }
  /// Whether the next record is complete and is `record`.
  [[nodiscard]] bool isAt(const ptx::LogRecord& record) const {
    return position_ + record.words <= size_ && at(position_) == ptx::logMark(record.first);
  }
  /// Whether the log may have been too full for `record`, so that the thread's next action is
  /// unknown.
  [[nodiscard]] bool isCut(const ptx::LogRecord& record) const {
    return more() && position_ + record.words > size_ && wanted_ > size_;
  }
  /// Advances to a record that isAt() found.
  void enter(const ptx::LogRecord& record) {
    record_ = position_;
    position_ += record.words;
  }
  /// A word of the record entered last.
  [[nodiscard]] uint32_t word(uint32_t index) const { return at(record_ + index); }
  /// The base address of an access in that record, without the site's offset.
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
