// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// Instructions [begin, end) that a thread runs consecutively: a basic block that is also split
/// after barriers. Only the last one may be a branch, an exit or a barrier.
struct Segment {
  enum class End : uint8_t { flow, barrier, exit };
  uint32_t begin = 0;
  uint32_t end = 0;
  End how = End::flow;
  std::vector<uint32_t> next;  ///< Segments that may follow.
};

/// The segments of a function in the order of its text. An Error names an indexed branch.
Result<std::vector<Segment>> segmentsOf(const Function& function);

/// Instructions [begin, end] between a backward branch's target and the branch.
struct LoopSpan {
  uint32_t begin = 0;
  uint32_t end = 0;
};
std::vector<LoopSpan> loopSpans(const Function& function);
/// The shortest of `loops` around instruction `index`, or nullptr.
const LoopSpan* innermostLoop(const std::vector<LoopSpan>& loops, uint32_t index);

/// How often each segment may run between a barrier (or the start) and the end of a segment.
enum class Visits : uint8_t { never, once, often };
/// For every segment from which a path without barriers leads to the end of `last`. Segments on a
/// cycle of such paths are `often`.
std::vector<Visits> visitsBefore(const std::vector<Segment>& segments, uint32_t last);

}  // namespace tilestep::ptx
