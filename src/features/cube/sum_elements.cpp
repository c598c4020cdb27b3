// SPDX-License-Identifier: Apache-2.0
#include "features/cube/sum_elements.h"

#include <algorithm>
#include <map>

namespace tilestep::features {
namespace {

/// The sums that each store instruction may write, by instruction.
std::map<uint32_t, std::vector<uint32_t>> sumsByStore(const trace::BlockTrace& recording) {
  std::map<uint32_t, std::vector<uint32_t>> sums;
  for (const auto& [sum, store] : recording.sumStores) sums[store].push_back(sum);
  return sums;
}

}  // namespace

SumElements::SumElements(const TracedKernel& side, const ProductShape& shape,
                         const trace::Elements& elements) {
  const trace::BlockTrace& recording = side.replay->recording();
  each_ = std::max(recording.accumulators, 1U);
  elements_.resize(recording.blockShape.count() * each_);
  const auto byStore = sumsByStore(recording);
  for (size_t i = 0; i < recording.size(); ++i) {
    const trace::TraceEvent event = recording.event(i);
    if (event.operation != trace::Operation::store || event.buffer != shape.product ||
        event.space != trace::Space::global)
      continue;
    const auto sums = byStore.find(event.instruction);
    if (sums == byStore.end()) continue;
    elements.visit(static_cast<uint32_t>(i), event, event.mask,
                   [&](const trace::Access& access, uint32_t /*part*/) {
                     for (const uint32_t sum : sums->second) {
                       if (of(access.thread, static_cast<int16_t>(sum))) continue;
                       const trace::Accumulator* end =
                           side.end.findAccumulator(access.thread, static_cast<int16_t>(sum));
                       if (end == nullptr || end->bits != access.bits) continue;
                       return assign(access.thread, sum, shape.productAt(access.offset));
                     }
                   });
  }
}

void SumElements::assign(uint32_t thread, uint32_t sum, const MatrixElement& element) {
  elements_[thread * each_ + sum] = element;
  ++found_;
}

std::optional<MatrixElement> SumElements::of(uint32_t thread, int16_t sum) const {
  if (sum < 0 || static_cast<uint32_t>(sum) >= each_) return std::nullopt;
  const size_t index = size_t{thread} * each_ + static_cast<size_t>(sum);
  return index < elements_.size() ? elements_[index] : std::nullopt;
}

}  // namespace tilestep::features
