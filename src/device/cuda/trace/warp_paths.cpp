// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/trace/warp_paths.h"

#include <algorithm>
#include <functional>
#include <ranges>

#include "ptx/analysis/branches.h"
#include "ptx/analysis/control_flow.h"
#include "ptx/analysis/counted.h"
#include "ptx/analysis/uses.h"
#include "ptx/rewrite/own_returns.h"

namespace tilestep::cuda {

ProgramShape::ProgramShape(const ptx::Function& entry)
    : reconvergence(ptx::analyseControlFlow(entry).reconvergence),
      onlyReturns(ptx::onlyReturns(entry)) {
  const auto size = static_cast<uint32_t>(entry.body.size());
  std::vector<bool> starts(size + 1, false);
  starts[size] = true;
  for (uint32_t i = 0; i < size; ++i) {
    const ptx::Instruction& instruction = entry.body[i];
    const bool isBranch = ptx::isBranch(instruction);
    if (isBranch || ptx::isExit(instruction) || ptx::isBarrier(instruction)) starts[i + 1] = true;
    if (isBranch) starts[std::min(instruction.operands[0].target, size)] = true;
    if (reconvergence[i] <= size) starts[reconvergence[i]] = true;
  }
  blockEnd.resize(size + 1, size);
  for (uint32_t i = size; i-- > 0;) blockEnd[i] = starts[i + 1] ? i + 1 : blockEnd[i + 1];
}

void WarpPaths::go(uint32_t to) {
  paths_.back().at = to;
  meet();
}

void WarpPaths::branch(const ptx::Function& entry, const ProgramShape& shape, uint32_t index,
                       uint32_t taken) {
  const auto size = static_cast<uint32_t>(entry.body.size());
  const uint32_t target = std::min(entry.body[index].operands[0].target, size);
  if (taken == mask()) return go(target);
  if (taken == 0) return go(index + 1);
  const uint32_t meeting = shape.reconvergence[index];
  split(taken, target, index + 1, meeting <= size ? meeting : kNowhere);
}

/// The lanes in `taken` go to `target`, the others to `next`; all meet at `reconverge`.
void WarpPaths::split(uint32_t taken, uint32_t target, uint32_t next, uint32_t reconverge) {
  const uint32_t others = mask() & ~taken;
  if (reconverge == kNowhere) reconverge = paths_.back().reconverge;
  if (paths_.back().reconverge == reconverge) {
    paths_.pop_back();
  } else {
    paths_.back().at = reconverge;
  }
  if (next != reconverge) paths_.push_back({next, others, reconverge});
  if (target != reconverge) paths_.push_back({target, taken, reconverge});
  meet();
}

void WarpPaths::leave(uint32_t gone, uint32_t next) {
  live_ &= ~gone;
  paths_.back().at = next;
  for (Path& path : paths_) path.mask &= ~gone;
  meet();
}

namespace {

/// The number of instructions from `at` up to and including the return, if only branches precede
/// it.
uint32_t instructionsToReturn(const ptx::Function& entry, uint32_t at) {
  const auto size = static_cast<uint32_t>(entry.body.size());
  uint32_t count = 0;
  while (at < size && count < size) {
    ++count;
    if (ptx::isExit(entry.body[at])) break;
    at = ptx::isBranch(entry.body[at]) ? entry.body[at].operands[0].target : at + 1;
  }
  return count;
}

}  // namespace

void WarpPaths::letReturn(const ptx::Function& entry, const ProgramShape& shape,
                          const std::function<void(uint32_t, uint32_t)>& left) {
  uint32_t above = mask();
  for (size_t i = paths_.size() - 1; i-- > 0;) {
    const uint32_t here = paths_[i].mask & ~above;
    above |= paths_[i].mask;
    if (paths_[i].at == kNowhere || !shape.onlyReturns[paths_[i].at]) continue;
    live_ &= ~here;
    if (left && here != 0) left(here, instructionsToReturn(entry, paths_[i].at));
    for (Path& path : paths_) path.mask &= ~here;
  }
}

/// Removes paths that have no lanes left or have arrived.
void WarpPaths::meet() {
  while (!paths_.empty()) {
    const Path& path = paths_.back();
    if (path.mask != 0 && (path.at != path.reconverge || path.at == kNowhere)) return regroup();
    paths_.pop_back();
  }
}

/// Among the paths with the last one's reconvergence point, the first in program order runs next,
/// with the lanes of all paths at the same instruction.
void WarpPaths::regroup() {
  const uint32_t meeting = paths_.back().reconverge;
  size_t first = paths_.size() - 1;
  while (first > 0 && paths_[first - 1].reconverge == meeting) --first;
  const auto group = std::ranges::subrange(paths_.begin() + ptrdiff_t(first), paths_.end());
  if (group.size() == 1) return;
  std::ranges::stable_sort(group, std::greater(), &Path::at);
  while (paths_.size() > first + 1 && paths_.back().at == paths_[paths_.size() - 2].at) {
    paths_[paths_.size() - 2].mask |= paths_.back().mask;
    paths_.pop_back();
  }
}

}  // namespace tilestep::cuda
