// SPDX-License-Identifier: Apache-2.0
#include "model/text/sum_terms.h"

#include <algorithm>

#include "model/text/step_text.h"

namespace tilestep::model {
namespace {

/// The extent of k, from the first operand that has one.
uint64_t lengthOf(const TracedKernel& side) {
  const auto& cut = side.replay->cut().operands;
  const auto& operands = side.result->plan.operands;
  for (size_t i = 0; i < std::min(cut.size(), operands.size()); ++i) {
    const uint64_t columns = cut[i].columns;
    if (columns == 0) continue;
    if (cut[i].k == trace::Cut::K::column) return columns;
    if (cut[i].k == trace::Cut::K::row) return operands[i].elements / columns;
  }
  return 0;
}

}  // namespace

TermCounter::TermCounter(const TracedKernel& side) : side_(side), length_(lengthOf(side)) {}

bool TermCounter::isNeverStored(uint32_t thread, int16_t index) const {
  const auto& stored = side_.sumsStored;
  if (index < 0 || static_cast<size_t>(index) >= stored.size()) return false;
  const std::vector<bool>& byThread = stored[static_cast<size_t>(index)];
  return thread < byThread.size() && !byThread[thread];
}

bool TermCounter::isIdle(uint32_t thread, int16_t index) const {
  if (side_.replay->recording().truncated() || length_ == 0 || !isNeverStored(thread, index))
    return false;
  const trace::Accumulator* end = side_.end.findAccumulator(thread, index);
  return end == nullptr || end->updates == 0 || valueOf(outputType(side_), end->bits) == 0;
}

uint32_t TermCounter::atMost(uint64_t products) const {
  return static_cast<uint32_t>(length_ == 0 ? products : std::min(products, length_));
}

SumTerms TermCounter::termsOf(const trace::Accumulator& now) const {
  const bool cut = side_.replay->recording().truncated();
  const trace::Accumulator* end = cut ? nullptr : side_.end.findAccumulator(now.thread, now.index);
  SumTerms found{atMost(now.updates), end != nullptr ? atMost(end->updates) : 0, false};
  found.idle = isIdle(now.thread, now.index);
  return found;
}

std::string termsText(const SumTerms& terms) {
  if (terms.idle) return "no element";
  std::string text = std::to_string(terms.now);
  if (terms.of > 0) text += " of " + std::to_string(terms.of);
  return text + ((terms.of > 0 ? terms.of : terms.now) == 1 ? " term" : " terms");
}

}  // namespace tilestep::model
