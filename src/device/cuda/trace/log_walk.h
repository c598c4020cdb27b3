// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "device/cuda/trace/thread_logs.h"
#include "device/cuda/trace/warp_paths.h"
#include "ptx/ir.h"

/// Walks a warp through a program again by what its threads logged on the GPU.
namespace tilestep::cuda {

/// A program whose threads wrote logs, and what all walks through it share. The function and the
/// log's description must outlive this.
struct LoggedProgram {
  LoggedProgram(const ptx::Function& function, const ptx::TraceLog& traceLog);

  /// Says that the log of `whose` threads ("a warp") contradicts the program, and in what.
  [[nodiscard]] Error contradiction(const std::string& whose, const std::string& what) const;

  const ptx::Function& entry;
  const ptx::TraceLog& log;
  const ProgramShape shape;
  std::vector<uint32_t> nextSite;  ///< By instruction: the first from it on that logs something.
};

/// Receives what a warp does, in the order in which it does it. `lanes` is never empty.
class LogVisitor {
 public:
  LogVisitor() = default;
  LogVisitor(const LogVisitor&) = delete;
  LogVisitor& operator=(const LogVisitor&) = delete;
  virtual ~LogVisitor() = default;

  /// The lanes begin the basic block whose first instruction is `begin`.
  virtual void onBlock(uint32_t /*begin*/, uint32_t /*lanes*/) {}
  /// The lanes come to the guarded branch at `index`.
  virtual void onBranch(uint32_t /*index*/, bool /*part*/) {}
  /// The lanes run an instruction that logs something, other than a branch, an exit or a barrier.
  /// LogWalk::lane reads what they logged. Lanes whose guard does not hold are not among them.
  virtual void onSite(uint32_t index, uint32_t lanes) = 0;
  /// All lanes that have not exited pass the block's barrier at `index`.
  virtual void onBarrier(uint32_t index, uint32_t lanes) = 0;
  /// The lanes have nothing but a return before them, and the other lanes wait at a barrier: they
  /// exit, each after so many instructions.
  virtual void onReturn(uint32_t /*lanes*/, uint32_t /*instructions*/) {}
};

/// One warp on its way through a program. Its lanes part at a branch as their logs say. They meet
/// again as in the interpreter (simt/engine/paths.h): at the branch's immediate post-dominator, or
/// earlier, where they come to one block; of the paths that will meet at one place, the one that
/// stands first in the program goes first. So the walk is the interpreter's wherever the GPU
/// computed what the interpreter computes, and it makes no difference which lanes the GPU ran
/// together. Every word of a log is checked before it is used: whatever a log holds, the walk ends.
class LogWalk {
 public:
  /// `lanes` are those of the warp that exist, lane 0 first. The program must outlive this.
  LogWalk(const LoggedProgram& program, std::vector<LogReader> lanes);

  /// All lanes have exited.
  [[nodiscard]] bool finished() const { return paths_.finished(); }
  /// Walks the lanes whose turn it is through one basic block. False: the log ends early or
  /// contradicts the program, so there is no way on. Only for a warp that is not finished.
  bool walkBlock(LogVisitor& visitor);

  /// After `walkBlock` said false: what is wrong with the log.
  [[nodiscard]] const std::string& wrong() const { return wrong_; }
  /// After `walkBlock` said false: the log is right as far as it goes, but had no room for more.
  [[nodiscard]] bool isCut() const { return isCut_; }
  /// A lane logged more than the walk has read.
  [[nodiscard]] bool hasMore() const;

  /// Reads the record that `lane` has come to.
  [[nodiscard]] const LogReader& lane(uint32_t lane) const { return lanes_[lane]; }

 private:
  bool visitSite(LogVisitor& visitor, uint32_t index, uint32_t mask);
  bool endBlock(LogVisitor& visitor, uint32_t index, uint32_t mask);
  bool passBarrier(LogVisitor& visitor, uint32_t index, uint32_t lanes);
  std::optional<uint32_t> running(uint32_t index, uint32_t mask);
  std::optional<uint32_t> enter(uint32_t index, uint32_t mask);
  std::optional<uint32_t> decide(uint32_t index, uint32_t mask);
  std::nullopt_t fail(std::string what);

  const LoggedProgram& program_;
  std::vector<LogReader> lanes_;
  WarpPaths paths_;
  uint64_t blocksSinceRecord_ = 0;
  bool isCut_ = false;
  std::string wrong_;
};

}  // namespace tilestep::cuda
