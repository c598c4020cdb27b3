// SPDX-License-Identifier: Apache-2.0
#include "simt/run/tracer.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace tilestep::simt {
namespace {

uint32_t dataRow(const Instr& instr, uint32_t element) {
  const uint32_t rows[] = {instr.d, instr.a, instr.b, instr.c};
  return rows[element];
}

uint32_t activeLanes(const Context& context, const Instr& instr) {
  if (instr.guard == kNoRow) return context.mask;
  uint32_t lanes = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    uint32_t value = 0;
    std::memcpy(&value, context.registers + instr.guard + 4 * lane, 4);
    if ((value != 0) != instr.guardNegated) lanes |= 1u << lane;
  }
  return context.mask & lanes;
}

}  // namespace

Tracer::Tracer(const Setup& setup, trace::BlockTrace& recording)
    : setup_(setup),
      recording_(recording),
      sequence_(ceilDiv(setup.request->launch.block.count(), kLanes)) {}

Tracer::LaneAccess Tracer::locateShared(uint64_t offset, uint8_t bytes) const {
  if (offset + bytes > setup_.sharedBytes) return {};
  const trace::SharedPlace place = trace::placeIn(setup_.sharedArrays, offset, bytes);
  return {trace::Space::shared, place.buffer, place.offset};
}

Tracer::LaneAccess Tracer::locate(const Instr& instr, uint64_t address) const {
  if ((address & (instr.bytes - 1u)) != 0) return {};
  if (instr.space == MemorySpace::shared) return locateShared(address, instr.bytes);
  if (instr.space == MemorySpace::generic && address - kSharedWindow < kWindowBytes) {
    return locateShared(address - kSharedWindow, instr.bytes);
  }
  const uint16_t index = setup_.map.regionAt(address);
  if (index == kNoRegion) return {};
  const Region& region = setup_.regions[index];
  const uint64_t offset = address - region.start;
  if (offset + instr.bytes > region.bytes || !region.counted) return {};
  if (instr.isStore && !instr.isAtomic && !region.writable) return {};
  return locateGlobal(index, offset);
}

Tracer::LaneAccess Tracer::locateGlobal(uint16_t region, uint64_t offset) const {
  const std::optional<TraceOptions>& options = setup_.request->trace;
  if (options && options->views) {
    for (const TraceOptions::View& view : *options->views)
      if (view.buffer == region && offset - view.offset < view.bytes)
        return {trace::Space::global, view.number, static_cast<uint32_t>(offset - view.offset)};
    return {trace::Space::global, -1, static_cast<uint32_t>(offset)};
  }
  const bool operand = region < setup_.request->buffers.size();
  return {trace::Space::global, operand ? static_cast<int16_t>(region) : int16_t{-1},
          static_cast<uint32_t>(offset)};
}

void Tracer::before(const Context& context, const Instr& instr) {
  mask_ = activeLanes(context, instr);
  if (instr.bytes == 0) return;
  const bool wide = instr.wideAddress;
  forEachLane(mask_, [&](uint32_t lane) {
    uint64_t address = 0;
    std::memcpy(&address, context.registers + instr.address + lane * (wide ? 8 : 4), wide ? 8 : 4);
    lanes_[lane] = locate(instr, address + static_cast<uint64_t>(instr.offset));
  });
}

void Tracer::after(const Context& context, const Instr& instr) {
  if (instr.isDeferred)
    beginCopy(context, instr);
  else if (instr.bytes != 0)
    access(context, instr);
  else if (!instr.isFence)
    accumulate(context, instr);
}

trace::TraceEvent Tracer::eventOf(const Warp& warp, uint32_t instruction) {
  trace::TraceEvent event;
  event.epoch = warp.epoch;
  event.warp = warp.index;
  event.sequence = sequence_[warp.index]++;
  event.instruction = instruction;
  event.line = setup_.program.instruction(instruction).outerLine.line;
  return event;
}

void Tracer::append(const trace::TraceEvent& event) {
  recording_.append(event);
}

/// Appends one event for each buffer that the lanes access, nearly always only one.
void Tracer::access(const Context& context, const Instr& instr) {
  uint32_t left = mask_;
  while (left != 0) {
    const LaneAccess& first = lanes_[static_cast<uint32_t>(__builtin_ctz(left))];
    uint32_t together = 0;
    std::array<uint32_t, kLanes> offsets{};
    std::array<std::byte, kLanes * 16> values{};
    size_t count = 0;
    const uint32_t elementBytes = instr.bytes / instr.elements;
    forEachLane(left, [&](uint32_t lane) {
      if (lanes_[lane].space != first.space || lanes_[lane].buffer != first.buffer) return;
      together |= 1u << lane;
      for (uint32_t e = 0; e < instr.elements && !instr.isAtomic; ++e) {
        const uint8_t* row = context.registers + dataRow(instr, e);
        std::memcpy(values.data() + count * instr.bytes + e * elementBytes,
                    row + lane * (instr.wideResult ? 8 : 4), elementBytes);
      }
      offsets[count++] = lanes_[lane].offset;
    });
    left &= ~together;
    if (first.space == trace::Space::none) continue;
    trace::TraceEvent event = eventOf(*context.warp, instr.source);
    event.operation = instr.isAtomic  ? trace::Operation::atomic
                      : instr.isStore ? trace::Operation::store
                                      : trace::Operation::load;
    event.space = first.space;
    event.width = instr.bytes;
    event.buffer = first.buffer;
    event.mask = together;
    event.offsets = {offsets.data(), count};
    if (!instr.isAtomic) event.values = {values.data(), count * instr.bytes};
    append(event);
  }
}

/// Appends one event for each operand from which lanes copy, and one for lanes that request zeros.
void Tracer::beginCopy(const Context& context, const Instr& instr) {
  Instr source = instr;
  source.space = MemorySpace::global;
  source.isStore = false;
  const auto valueAt = [&](uint32_t row, uint32_t lane, auto value) {
    std::memcpy(&value, context.registers + row + lane * sizeof value, sizeof value);
    return value;
  };
  std::array<const uint8_t*, kLanes> from{};
  forEachLane(mask_, [&](uint32_t lane) {
    const bool leftOut = instr.a != kNoRow && valueAt(instr.a, lane, uint32_t{}) != 0;
    const bool none = leftOut || (instr.b != kNoRow && valueAt(instr.b, lane, uint32_t{}) == 0);
    const auto address = valueAt(instr.c, lane, uint64_t{});
    lanes_[lane] = none ? LaneAccess{} : locate(source, address);
    if (lanes_[lane].space != trace::Space::global) return;
    const Region& region = setup_.regions[setup_.map.regionAt(address)];
    from[lane] = region.host + (address - region.start);
  });
  for (uint32_t left = mask_; left != 0;) {
    const LaneAccess first = lanes_[static_cast<uint32_t>(std::countr_zero(left))];
    std::array<uint32_t, kLanes> offsets{};
    std::array<std::byte, kLanes * 16> values{};
    size_t count = 0;
    uint32_t together = 0;
    forEachLane(left, [&](uint32_t lane) {
      if (lanes_[lane].space != first.space || lanes_[lane].buffer != first.buffer) return;
      together |= 1u << lane;
      if (from[lane] == nullptr) return;
      std::memcpy(values.data() + count * instr.bytes, from[lane], instr.bytes);
      offsets[count++] = lanes_[lane].offset;
    });
    left &= ~together;
    trace::TraceEvent event = eventOf(*context.warp, instr.source);
    event.operation = trace::Operation::copy;
    event.space = first.space;
    event.width = instr.bytes;
    event.buffer = first.buffer;
    event.mask = together;
    event.offsets = {offsets.data(), count};
    event.values = {values.data(), count * instr.bytes};
    append(event);
  }
}

/// Appends one event per instruction that began copies and per shared array in which they arrive.
void Tracer::arrived(const Warp& warp, const std::vector<AsyncCopies::Copy>& copies,
                     const uint8_t* shared) {
  for (size_t begin = 0; begin < copies.size();) {
    const AsyncCopies::Copy& first = copies[begin];
    const auto bytes = static_cast<uint8_t>(first.bytes);
    const LaneAccess place = locateShared(first.to, bytes);
    std::array<uint32_t, kLanes> offsets{};
    std::array<std::byte, kLanes * 16> values{};
    size_t count = 0;
    trace::TraceEvent event = eventOf(warp, first.source);
    for (; begin < copies.size() && copies[begin].issue == first.issue; ++begin) {
      const LaneAccess own = locateShared(copies[begin].to, bytes);
      if (own.buffer != place.buffer) break;
      event.mask |= 1u << copies[begin].lane;
      std::memcpy(values.data() + count * bytes, shared + copies[begin].to, bytes);
      offsets[count++] = own.offset;
    }
    event.operation = trace::Operation::arrive;
    event.space = trace::Space::shared;
    event.width = bytes;
    event.buffer = place.buffer;
    event.offsets = {offsets.data(), count};
    event.values = {values.data(), count * bytes};
    append(event);
  }
}

void Tracer::accumulate(const Context& context, const Instr& instr) {
  if (mask_ == 0) return;
  const uint8_t width = instr.wideResult ? 8 : 4;
  std::array<std::byte, kLanes * 8> values{};
  size_t count = 0;
  forEachLane(mask_, [&](uint32_t lane) {
    std::memcpy(values.data() + count++ * width, context.registers + instr.target + lane * width,
                width);
  });
  trace::TraceEvent event = eventOf(*context.warp, instr.source);
  event.operation = trace::Operation::accumulate;
  event.width = width;
  const auto vector = setup_.program.accumulatorsOf.find(instr.source);
  event.buffer = static_cast<int16_t>(vector != setup_.program.accumulatorsOf.end()
                                          ? vector->second[instr.elements]
                                          : setup_.program.accumulatorOf[instr.source]);
  event.mask = mask_;
  event.values = {values.data(), count * width};
  append(event);
}

void Tracer::barrier(const Warp& warp, uint32_t instruction) {
  trace::TraceEvent event = eventOf(warp, instruction);
  event.operation = trace::Operation::barrier;
  event.mask = warp.barrierLanes;
  append(event);
}

}  // namespace tilestep::simt
