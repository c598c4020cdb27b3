// SPDX-License-Identifier: Apache-2.0
#include "trace/block_trace.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <numeric>
#include <tuple>

namespace tilestep::trace {
namespace {

/// Bytes of one event in the columns, without its lanes.
constexpr size_t kEventBytes = 8 * sizeof(uint32_t) + 3 + sizeof(int16_t) + sizeof(uint64_t);

template <class T>
void permute(std::vector<T>& column, const std::vector<uint32_t>& order) {
  std::vector<T> sorted(column.size());
  for (size_t i = 0; i < order.size(); ++i) sorted[i] = column[order[i]];
  column = std::move(sorted);
}

}  // namespace

SharedPlace placeIn(const std::vector<SharedArray>& arrays, uint64_t offset, uint32_t bytes) {
  for (size_t i = 0; i < arrays.size(); ++i) {
    const SharedArray& array = arrays[i];
    if (offset < array.offset || offset + bytes > uint64_t{array.offset} + array.bytes) continue;
    return {static_cast<int16_t>(i), static_cast<uint32_t>(offset - array.offset)};
  }
  return {-1, static_cast<uint32_t>(offset)};
}

BlockTrace::BlockTrace(size_t capBytes) : cap_(capBytes) {}
BlockTrace::BlockTrace(const BlockTrace& other) = default;
BlockTrace::BlockTrace(BlockTrace&& other) noexcept = default;
BlockTrace& BlockTrace::operator=(const BlockTrace& other) = default;
BlockTrace& BlockTrace::operator=(BlockTrace&& other) noexcept = default;
BlockTrace::~BlockTrace() = default;

bool BlockTrace::append(const TraceEvent& event) {
  [[maybe_unused]] const auto lanes = static_cast<size_t>(std::popcount(event.mask));
  assert(event.offsets.empty() || event.offsets.size() == lanes);
  assert(event.values.empty() || event.values.size() == lanes * event.width);
  const size_t needed = kEventBytes + event.offsets.size_bytes() + event.values.size();
  // Start indices have 32 bits, so they limit the size, too.
  if (truncated_ || bytes() + needed > std::min(cap_, size_t{kNoLanes})) {
    truncated_ = true;
    return false;
  }
  epoch_.push_back(event.epoch);
  warp_.push_back(event.warp);
  sequence_.push_back(event.sequence);
  instruction_.push_back(event.instruction);
  line_.push_back(event.line);
  mask_.push_back(event.mask);
  operation_.push_back(static_cast<uint8_t>(event.operation));
  space_.push_back(static_cast<uint8_t>(event.space));
  width_.push_back(event.width);
  buffer_.push_back(event.buffer);
  clock_.push_back(event.clock);
  laneStart_.push_back(event.offsets.empty() ? kNoLanes : static_cast<uint32_t>(offsets_.size()));
  valueStart_.push_back(event.values.empty() ? kNoLanes : static_cast<uint32_t>(values_.size()));
  offsets_.insert(offsets_.end(), event.offsets.begin(), event.offsets.end());
  values_.insert(values_.end(), event.values.begin(), event.values.end());
  return true;
}

void BlockTrace::finish() {
  const auto key = [this](uint32_t i) { return std::tuple(epoch_[i], warp_[i], sequence_[i]); };
  const auto before = [&key](uint32_t a, uint32_t b) { return key(a) < key(b); };
  std::vector<uint32_t> order(size());
  std::iota(order.begin(), order.end(), 0U);
  if (std::is_sorted(order.begin(), order.end(), before)) return;
  std::stable_sort(order.begin(), order.end(), before);
  for (auto* column :
       {&epoch_, &warp_, &sequence_, &instruction_, &line_, &mask_, &laneStart_, &valueStart_}) {
    permute(*column, order);
  }
  for (auto* column : {&operation_, &space_, &width_}) permute(*column, order);
  permute(buffer_, order);
  permute(clock_, order);
}

TraceEvent BlockTrace::event(size_t index) const {
  TraceEvent event;
  event.epoch = epoch_[index];
  event.warp = warp_[index];
  event.sequence = sequence_[index];
  event.instruction = instruction_[index];
  event.line = line_[index];
  event.operation = static_cast<Operation>(operation_[index]);
  event.space = static_cast<Space>(space_[index]);
  event.width = width_[index];
  event.buffer = buffer_[index];
  event.mask = mask_[index];
  event.clock = clock_[index];
  const auto lanes = static_cast<size_t>(std::popcount(event.mask));
  if (laneStart_[index] != kNoLanes) {
    event.offsets = std::span(offsets_).subspan(laneStart_[index], lanes);
  }
  if (valueStart_[index] != kNoLanes) {
    event.values = std::span(values_).subspan(valueStart_[index], lanes * event.width);
  }
  return event;
}

size_t BlockTrace::bytes() const {
  return size() * kEventBytes + offsets_.size() * sizeof(uint32_t) + values_.size();
}

}  // namespace tilestep::trace
