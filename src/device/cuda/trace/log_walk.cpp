// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/trace/log_walk.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "ptx/analysis/branches.h"
#include "ptx/analysis/counted.h"
#include "ptx/analysis/uses.h"

namespace tilestep::cuda {

using ptx::LogSite;

LoggedProgram::LoggedProgram(const ptx::Function& function, const ptx::TraceLog& traceLog)
    : entry(function), log(traceLog), shape(function) {
  const auto size = static_cast<uint32_t>(entry.body.size());
  nextSite.resize(size + 1, size);
  for (uint32_t i = size; i-- > 0;) {
    nextSite[i] = log.sites[i].kind == LogSite::Kind::none ? nextSite[i + 1] : i;
  }
}

Error LoggedProgram::contradiction(const std::string& whose, const std::string& what) const {
  return workError("The GPU's log of " + whose + " of " + entry.name +
                   " does not follow its program: " + what + ".");
}

LogWalk::LogWalk(const LoggedProgram& program, std::vector<LogReader> lanes)
    : program_(program),
      lanes_(std::move(lanes)),
      paths_(static_cast<uint32_t>((uint64_t{1} << lanes_.size()) - 1)) {}

bool LogWalk::hasMore() const {
  return std::ranges::any_of(lanes_, [](const LogReader& lane) { return lane.more(); });
}

std::nullopt_t LogWalk::fail(std::string what) {
  wrong_ = std::move(what);
  return std::nullopt;
}

// ---- Blocks ----

bool LogWalk::walkBlock(LogVisitor& visitor) {
  const auto size = static_cast<uint32_t>(program_.entry.body.size());
  const uint32_t begin = paths_.at(), mask = paths_.mask();
  if (begin >= size) {
    paths_.leave(mask, size);
    return true;
  }
  // In each iteration of a finite loop, a branch or an exit logs a decision. Therefore, a lane
  // enters each block at most once between two records.
  if (++blocksSinceRecord_ > uint64_t{ptx::TraceLog::kLanes} * size) {
    fail("it follows an endless loop");
    return false;
  }
  visitor.onBlock(begin, mask);
  const uint32_t last = program_.shape.blockEnd[begin] - 1;
  for (uint32_t i = program_.nextSite[begin]; i < last; i = program_.nextSite[i + 1]) {
    if (!visitSite(visitor, i, mask)) return false;
  }
  return endBlock(visitor, last, mask);
}

bool LogWalk::visitSite(LogVisitor& visitor, uint32_t index, uint32_t mask) {
  const std::optional<uint32_t> lanes = running(index, mask);
  if (lanes && *lanes != 0) visitor.onSite(index, *lanes);
  return lanes.has_value();
}

bool LogWalk::endBlock(LogVisitor& visitor, uint32_t index, uint32_t mask) {
  const ptx::Instruction& last = program_.entry.body[index];
  const bool isBranch = ptx::isBranch(last), isExit = ptx::isExit(last);
  if (!isBranch && !isExit && !ptx::isBarrier(last)) {
    if (program_.nextSite[index] == index && !visitSite(visitor, index, mask)) return false;
    paths_.go(index + 1);
    return true;
  }
  const std::optional<uint32_t> lanes = running(index, mask);
  if (!lanes) return false;
  if (isBranch) {
    if (ptx::isGuarded(last)) visitor.onBranch(index, *lanes != 0 && *lanes != mask);
    paths_.branch(program_.entry, program_.shape, index, *lanes);
  } else if (isExit) {
    paths_.leave(*lanes, index + 1);
  } else {
    if (*lanes != 0 && !passBarrier(visitor, index, *lanes)) return false;
    paths_.go(index + 1);
  }
  return true;
}

bool LogWalk::passBarrier(LogVisitor& visitor, uint32_t index, uint32_t lanes) {
  if (lanes != paths_.live()) {
    paths_.letReturn(program_.entry, program_.shape, [&](uint32_t gone, uint32_t instructions) {
      visitor.onReturn(gone, instructions);
    });
  }
  if (lanes != paths_.live()) {
    fail("not all threads of a warp reach a barrier together");
    return false;
  }
  visitor.onBarrier(index, lanes);
  return true;
}

// ---- Records ----

/// The lanes of `mask` that execute an instruction: all except those whose guard is false. Enters
/// the instruction's record in these lanes. Nothing if a log contradicts the program.
std::optional<uint32_t> LogWalk::running(uint32_t index, uint32_t mask) {
  const LogSite& site = program_.log.sites[index];
  if (site.kind == LogSite::Kind::none) return mask;
  std::optional<uint32_t> lanes = mask;
  if (program_.log.records[site.record].first == index) lanes = enter(index, mask);
  return lanes && site.kind == LogSite::Kind::decision ? decide(index, mask) : lanes;
}

/// Enters the record that begins at `index` in the lanes that have it: all lanes, or those whose
/// guard was true if the guard decides whether there is a record.
std::optional<uint32_t> LogWalk::enter(uint32_t index, uint32_t mask) {
  const LogSite& site = program_.log.sites[index];
  const ptx::LogRecord& record = program_.log.records[site.record];
  const bool isGuarded =
      program_.entry.body[index].guard.reg != ptx::kNone && site.kind != LogSite::Kind::decision;
  uint32_t lanes = 0;
  for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
    LogReader& lane = lanes_[static_cast<uint32_t>(std::countr_zero(rest))];
    if (lane.isAt(record)) {
      lane.enter(record);
      lanes |= rest & (0U - rest);
    } else if (lane.isCut(record)) {
      isCut_ = true;
      return fail("it is too short for everything that the threads did");
    } else if (!isGuarded) {
      return fail("the record of instruction " + std::to_string(index) + " is missing");
    }
  }
  if (lanes != 0) blocksSinceRecord_ = 0;
  return lanes;
}

/// The lanes for which the guard of an instruction is true.
std::optional<uint32_t> LogWalk::decide(uint32_t index, uint32_t mask) {
  const uint32_t at = program_.log.sites[index].at;
  uint32_t holds = 0;
  bool isKnown = true;
  forEachLane(mask, [&](uint32_t lane) {
    const uint32_t word = lanes_[lane].word(at);
    isKnown = isKnown && word <= 1;
    if (word == 1) holds |= 1U << lane;
  });
  if (!isKnown) return fail("a guard is neither true nor false");
  return holds;
}

}  // namespace tilestep::cuda
