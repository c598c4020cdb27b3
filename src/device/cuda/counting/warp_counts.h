// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "device/cuda/trace/log_walk.h"
#include "ptx/analysis/counted.h"
#include "ptx/ir.h"
#include "simt/request_counts.h"
#include "trace/branch_lines.h"
#include "trace/counters.h"

namespace tilestep::cuda {

/// An exemplar's log (ptx/rewrite/instrument_exemplars.h).
struct WarpLog {
  uint32_t lanes = 0;  ///< The number of existing lanes, fewer than 32 at the end of a block.
  uint64_t room = 0;   ///< Words that each lane could write.
  /// By lane: the words of all its records, including records that did not fit.
  std::array<uint64_t, ptx::TraceLog::kLanes> wanted{};
  std::vector<uint32_t> words;  ///< [word][lane]

  [[nodiscard]] uint64_t longest() const { return *std::ranges::max_element(wanted); }
};

/// The counts of one warp, by epoch. An epoch ends at each barrier that the warp passes.
using WarpCounts = std::vector<trace::Counters>;

/// Counts the execution of a program's warps from their logs, by the interpreter's rules. The
/// program and the log's description must outlive this.
class WarpCounter : private LogVisitor {
 public:
  WarpCounter(const ptx::Function& entry, const ptx::TraceLog& log);

  /// Error: the log contradicts the program or is truncated.
  Result<WarpCounts> count(const WarpLog& log);
  /// The branches of all warps counted so far.
  [[nodiscard]] const trace::BranchLines& branches() const { return branches_; }

 private:
  /// The counts that instructions without log records add to each lane.
  struct Unlogged {
    uint64_t instructions = 0, ffma = 0, fadd = 0, fmul = 0;
  };
  /// A request of one instruction. Adding the same distance to the addresses of all lanes changes
  /// nothing if the distance is a multiple of 32 bytes in global memory, or of 128 bytes in shared
  /// memory. requestOf() subtracts such a multiple, which makes most requests of a loop's
  /// iterations equal.
  struct Request {
    uint32_t index = 0, lanes = 0;
    std::array<int64_t, ptx::TraceLog::kLanes> addresses{};
    bool operator==(const Request&) const = default;
  };
  struct RequestHash {
    size_t operator()(const Request& request) const;
  };
  template <class Count>
  using Counted = std::unordered_map<Request, Count, RequestHash>;

  void onBlock(uint32_t begin, uint32_t lanes) override;
  void onBranch(uint32_t index, bool part) override;
  void onSite(uint32_t index, uint32_t lanes) override;
  void onBarrier(uint32_t index, uint32_t lanes) override;
  void onReturn(uint32_t lanes, uint32_t instructions) override;
  void addAccess(uint32_t index, uint32_t lanes);
  void addGlobal(uint32_t index, uint32_t lanes);
  void addShared(uint32_t index, uint32_t lanes);
  [[nodiscard]] Request requestOf(uint32_t index, uint32_t lanes, uint64_t period) const;

  const LoggedProgram program_;
  std::vector<Unlogged> unlogged_;  ///< By instruction: from it to its block's end.
  std::vector<std::optional<ptx::Access>> accesses_;  ///< By instruction.
  Counted<simt::GlobalRequest> global_;               ///< Requests counted so far, of all warps.
  Counted<simt::SharedRequest> shared_;
  trace::BranchLines branches_;
  const LogWalk* walk_ = nullptr;  ///< The walk of the warp that is being counted.
  WarpCounts counts_;              ///< The counts of that warp.
};

}  // namespace tilestep::cuda
