// SPDX-License-Identifier: Apache-2.0
#include "features/cube/factors.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <optional>

#include "base/dim3.h"

namespace tilestep::features {
namespace {

uint64_t keyOf(int16_t buffer, uint32_t offset) {
  return uint64_t{static_cast<uint16_t>(buffer)} << 32 | offset;
}

}  // namespace

Factors::Factors(const trace::BlockTrace& recording, const trace::Elements& elements,
                 const trace::Origins& origins, const ProductShape& shape)
    : recording_(recording),
      elements_(elements),
      origins_(origins),
      shape_(shape),
      feeds_(recording) {}

void Factors::see(uint32_t index, const trace::TraceEvent& event) {
  using trace::Operation;
  if (event.operation == Operation::load && feeds_.feeds(event.instruction)) load(index, event);
  const bool shared = event.space == trace::Space::shared;
  if (shared && (event.operation == Operation::store || event.operation == Operation::arrive))
    fill(index, event);
  if (shared && event.operation == Operation::atomic)
    elements_.visit(index, event, event.mask, [&](const trace::Access& access, uint32_t) {
      slots_.erase(keyOf(access.buffer, access.offset));
    });
}

Factor Factors::inGlobal(int16_t buffer, uint32_t offset, uint64_t bits) const {
  if (buffer == shape_.left) return {Factor::Kind::left, shape_.leftAt(offset), bits};
  if (buffer == shape_.right) return {Factor::Kind::right, shape_.rightAt(offset), bits};
  return {Factor::Kind::unknown, {}, bits};
}

void Factors::load(uint32_t index, const trace::TraceEvent& event) {
  const bool shared = event.space == trace::Space::shared;
  Held& held = held_[{event.warp, event.instruction}];
  const size_t lanes = std::max<size_t>(elements_.count(event, event.mask), 1);
  const auto active = static_cast<uint32_t>(std::popcount(event.mask));
  held.parts = active == 0 ? 0 : static_cast<uint32_t>(lanes / active);
  held.byLane.resize(size_t{kWarpLanes} * held.parts);
  held.earlier.resize(held.byLane.size());
  elements_.visit(index, event, event.mask, [&](const trace::Access& access, uint32_t part) {
    const size_t at = size_t{access.lane} * held.parts + part;
    held.earlier[at] = held.byLane[at];
    Factor& factor = held.byLane[at];
    if (!shared) {
      factor = inGlobal(access.buffer, access.offset, access.bits);
      return;
    }
    const auto slot = slots_.find(keyOf(access.buffer, access.offset));
    factor = slot == slots_.end() ? Factor{} : slot->second;
    factor.bits = access.bits;
  });
}

void Factors::fill(uint32_t index, const trace::TraceEvent& event) {
  elements_.visit(index, event, event.mask, [&](const trace::Access& access, uint32_t part) {
    Factor& slot = slots_[keyOf(access.buffer, access.offset)];
    const auto origin = origins_.of(index, event, access.lane, part, access.width);
    if (origin) {
      const trace::Place place = trace::placeOf(recording_, *origin, access.lane);
      slot = inGlobal(place.buffer, place.offset, access.bits);
    } else {
      slot = {access.bits == 0 ? Factor::Kind::zero : Factor::Kind::unknown, {}, access.bits};
    }
  });
}

std::vector<const Factors::Held*> Factors::feeding(const trace::TraceEvent& event) const {
  std::vector<const Held*> all;
  for (const auto& [consumer, load] : feeds_.of(event.instruction)) {
    const auto at = held_.find({event.warp, load});
    if (at != held_.end() && at->second.parts > 0) all.push_back(&at->second);
  }
  return all;
}

}  // namespace tilestep::features
