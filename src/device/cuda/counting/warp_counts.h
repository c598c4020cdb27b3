// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "device/cuda/trace/thread_logs.h"
#include "device/cuda/trace/warp_paths.h"
#include "ptx/ir.h"
#include "trace/counters.h"

namespace tilestep::cuda {

/// The log of an exemplar (ptx/rewrite/instrument_exemplars.h).
struct WarpLog {
  uint32_t lanes = 0;                                    ///< The first ones, which exist.
  uint64_t room = 0;                                     ///< Words that a lane could write.
  std::array<uint64_t, ptx::TraceLog::kLanes> wanted{};  ///< Words of all its records.
  std::vector<uint32_t> words;                           ///< [word][lane]
};

/// What one warp counts, by epoch, the warp's own barriers being the epochs' ends.
using WarpCounts = std::vector<trace::Counters>;

/// Walks warps through a program with what their logs say and counts as the interpreter does, which
/// has the same rule for where lanes meet (device/cuda/trace/warp_paths.h). Requests that differ
/// from an earlier one of the same instruction by a distance that changes nothing are not worked
/// out again. The program must outlive this.
class WarpCounter {
 public:
  WarpCounter(const ptx::Function& entry, const ptx::TraceLog& log);

  /// An Error says that the log does not follow the program or is cut short.
  Result<WarpCounts> count(const WarpLog& log);

 private:
  /// An access, barrier or operation of a block whose count depends on the lanes' logs.
  struct Step {
    uint32_t instruction = 0;
    bool isDecision = false;
    bool isAccess = false;
    bool isStore = false;
    uint32_t width = 0;
  };
  struct Block {
    uint32_t end = 0;
    uint64_t instructions = 0, ffma = 0, fadd = 0, fmul = 0;  ///< Of every lane.
    std::vector<Step> steps;
  };
  /// The addresses that a register held in the lanes that logged it, less the first one's.
  struct Pattern {
    uint32_t mask = 0;
    std::array<int64_t, ptx::TraceLog::kLanes> apart{};
    bool operator==(const Pattern&) const = default;
  };
  struct Base {
    uint32_t pattern = 0;  ///< Its number.
    int64_t first = 0;     ///< Of the first lane.
  };
  class Walk;

  /// Sectors and distinct bytes, or wavefronts and conflicts.
  struct Cost {
    uint32_t first = 0, second = 0;
  };
  enum class Ending : uint8_t { done, decided, lacking, parted };

  const Block& blockAt(uint32_t begin);
  void addStep(Block& block, uint32_t index) const;
  bool runBlock(Walk& walk, const Block& block, uint32_t mask);
  Ending endBlock(Walk& walk, uint32_t index, uint32_t mask);
  bool passBarrier(Walk& walk, uint32_t lanes);
  Base baseOf(const Walk& walk, const ptx::LogSite& site, uint32_t mask);
  template <class Request>
  Cost costOf(const Walk& walk, const Step& step, uint32_t mask, int64_t period, Request request);
  void access(Walk& walk, const Step& step, uint32_t mask);
  void addGlobal(Walk& walk, const Step& step, uint32_t mask);
  void addShared(Walk& walk, const Step& step, uint32_t mask);
  void addArithmetic(trace::Counters& counters, uint32_t index, uint32_t mask) const;

  const ptx::Function& entry_;
  const ptx::TraceLog& log_;
  const ProgramShape shape_;
  std::vector<std::optional<Block>> blocks_;  ///< By first instruction.
  std::vector<Pattern> patterns_;
  /// By record and word: the numbers of its latest patterns.
  std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> patternsOf_;
  std::unordered_map<uint64_t, Cost> costs_;  ///< By instruction, pattern and remainder.
};

}  // namespace tilestep::cuda
