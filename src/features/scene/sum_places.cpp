// SPDX-License-Identifier: Apache-2.0
#include "features/scene/sum_places.h"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <utility>

namespace tilestep::features {
namespace {

/// Places a thread's sums side by side, such that the grid is nearly square.
SumPlaces sideBySide(const Dim3& shape, uint32_t each) {
  SumPlaces places;
  const auto threads = static_cast<uint32_t>(shape.count());
  uint32_t across = shape.x;
  if (each > 1 && shape.y * shape.z == 1) {
    across = 1;
    while (uint64_t{across} * across * each < threads && across < threads) across *= 2;
  }
  places.rows = (threads + across - 1) / across;
  places.columns = across * each;
  places.cells.resize(size_t{threads} * each);
  std::iota(places.cells.begin(), places.cells.end(), 0U);
  return places;
}

/// The grid around the block's output elements. Absent if they are far apart or in two operands.
std::optional<SumPlaces> gridOf(const TracedKernel& side) {
  const auto& outputs = side.end.outputs;
  const auto& operands = side.result->plan.operands;
  if (outputs.empty() || side.replay->recording().truncated()) return std::nullopt;
  const int16_t buffer = outputs.front().place.buffer;
  if (buffer < 0 || static_cast<size_t>(buffer) >= operands.size()) return std::nullopt;
  const compile::ResolvedOperand& operand = operands[static_cast<size_t>(buffer)];
  if (operand.columns == 0) return std::nullopt;
  SumPlaces places;
  places.byElement = true;
  places.top = places.left = SumPlaces::kNowhere;
  uint32_t bottom = 0, right = 0;
  for (const trace::OutputElement& element : outputs) {
    if (element.place.buffer != buffer || !element.known) return std::nullopt;
    const uint64_t index = element.place.offset / bytesOf(operand.spec.type);
    const auto row = static_cast<uint32_t>(index / operand.columns);
    const auto column = static_cast<uint32_t>(index % operand.columns);
    places.top = std::min(places.top, row);
    places.left = std::min(places.left, column);
    bottom = std::max(bottom, row);
    right = std::max(right, column);
  }
  places.rows = bottom - places.top + 1;
  places.columns = right - places.left + 1;
  if (uint64_t{places.rows} * places.columns > 2 * outputs.size()) return std::nullopt;
  return places;
}

std::optional<SumPlaces> byElement(const TracedKernel& side, uint32_t each) {
  std::optional<SumPlaces> places = gridOf(side);
  if (!places) return std::nullopt;
  std::map<std::pair<uint32_t, uint64_t>, std::deque<int16_t>> sums;  // By thread and last value.
  for (const trace::Accumulator& sum : side.end.accumulators)
    if (sum.index >= 0) sums[{sum.thread, sum.bits}].push_back(sum.index);
  const auto& operand =
      side.result->plan.operands[static_cast<size_t>(side.end.outputs.front().place.buffer)];
  places->cells.assign(side.replay->recording().blockShape.count() * each, SumPlaces::kNowhere);
  for (const trace::OutputElement& element : side.end.outputs) {
    const auto found = sums.find({element.writer, element.bits});
    if (found == sums.end() || found->second.empty()) return std::nullopt;
    const auto sum = static_cast<size_t>(found->second.front());
    found->second.pop_front();
    const uint64_t index = element.place.offset / bytesOf(operand.spec.type);
    places->cells[element.writer * each + sum] =
        static_cast<uint32_t>((index / operand.columns - places->top) * places->columns +
                              index % operand.columns - places->left);
  }
  return places;
}

}  // namespace

SumPlaces sumPlacesOf(const TracedKernel& side) {
  const trace::BlockTrace& recording = side.replay->recording();
  const uint32_t each = std::max(recording.accumulators, 1U);
  if (each > 1)
    if (std::optional<SumPlaces> places = byElement(side, each)) return std::move(*places);
  return sideBySide(recording.blockShape, each);
}

}  // namespace tilestep::features
