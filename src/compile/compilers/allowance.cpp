// SPDX-License-Identifier: Apache-2.0
#include "compile/compilers/allowance.h"

#include <algorithm>
#include <utility>

namespace tilestep::compile {

using std::chrono::milliseconds;

Allowance::Allowance(CompileLimits whole, Clock::time_point now)
    : whole_(std::move(whole)), end_(now + whole_.time.clock) {}

CompileLimits Allowance::left(Clock::time_point now) const {
  constexpr milliseconds kNone{0};
  CompileLimits limits = whole_;
  limits.time.processor = std::max(whole_.time.processor - used_, kNone);
  limits.time.clock = std::max(std::chrono::ceil<milliseconds>(end_ - now), kNone);
  return limits;
}

void Allowance::takeOff(CommandResult& ran) {
  used_ += ran.processorTime;
  if (!ran.timedOut) return;
  const bool isUsedUp = used_ >= whole_.time.processor;
  ran.limit = isUsedUp ? processorText(whole_.time) : clockText(whole_.time);
}

}  // namespace tilestep::compile
