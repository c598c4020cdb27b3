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

/// Replays a warp's path through a program from the logs of its threads on the GPU.
namespace tilestep::cuda {

/// A program whose threads wrote logs, with the data that all walks through it share. The function
/// and the log's description must outlive this.
struct LoggedProgram {
  LoggedProgram(const ptx::Function& function, const ptx::TraceLog& traceLog);

  /// An Error that says how the log of `whose` threads ("a warp") contradicts the program.
  [[nodiscard]] Error contradiction(const std::string& whose, const std::string& what) const;

  const ptx::Function& entry;
  const ptx::TraceLog& log;
  const ProgramShape shape;
  /// By instruction: the next instruction that logs, itself included.
  std::vector<uint32_t> nextSite;
};

/// Receives a warp's actions in execution order. `lanes` is never empty.
class LogVisitor {
 public:
  LogVisitor() = default;
  LogVisitor(const LogVisitor&) = delete;
  LogVisitor& operator=(const LogVisitor&) = delete;
  virtual ~LogVisitor() = default;

  /// The lanes begin the basic block whose first instruction is `begin`.
  virtual void onBlock(uint32_t /*begin*/, uint32_t /*lanes*/) {}
  /// The lanes reach the guarded branch at `index`.
  virtual void onBranch(uint32_t /*index*/, bool /*part*/) {}
  /// The lanes execute an instruction that logs, other than a branch, an exit or a barrier.
  /// LogWalk::lane reads their records. Lanes whose guard is false are not included.
  virtual void onSite(uint32_t index, uint32_t lanes) = 0;
  /// All lanes that have not exited pass the block's barrier at `index`.
  virtual void onBarrier(uint32_t index, uint32_t lanes) = 0;
  /// The other lanes wait at a barrier, and only a return remains for these lanes: they exit, each
  /// after this number of instructions.
  virtual void onReturn(uint32_t /*lanes*/, uint32_t /*instructions*/) {}
};

/// One warp's walk through a program. Its lanes diverge at branches according to their logs. They
/// reconverge as in the interpreter (simt/engine/paths.h): at the branch's immediate
/// post-dominator, or earlier if they reach the same block. Among paths with the same reconvergence
/// point, the first in program order runs first. If the GPU's values equal the interpreter's, so
/// does the walk, regardless of which lanes the GPU ran together. Every word of a log is checked
/// before use, so the walk ends for any log contents.
class LogWalk {
 public:
  /// `lanes` are the existing lanes of the warp, lane 0 first. The program must outlive this.
  LogWalk(const LoggedProgram& program, std::vector<LogReader> lanes);

  /// Whether all lanes have exited.
  [[nodiscard]] bool finished() const { return paths_.finished(); }
  /// Walks the lanes that run next through one basic block. False if the log ends early or
  /// contradicts the program, so that the walk cannot continue. Requires an unfinished warp.
  bool walkBlock(LogVisitor& visitor);

  /// After walkBlock() returned false: the log's error.
  [[nodiscard]] const std::string& wrong() const { return wrong_; }
  /// After walkBlock() returned false: whether the log is valid but was full.
  [[nodiscard]] bool isCut() const { return isCut_; }
  /// Whether a lane logged more than the walk has read.
  [[nodiscard]] bool hasMore() const;

  /// The reader at the current record of `lane`.
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
