// SPDX-License-Identifier: Apache-2.0
#include "trace/origins.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <deque>
#include <map>

#include "trace/feeds.h"

namespace tilestep::trace {
namespace {

constexpr size_t kLookBack = 256;

/// The index of `lane` among the active lanes of `mask`.
size_t positionOf(uint32_t mask, uint32_t lane) {
  return static_cast<size_t>(std::popcount(mask & ((1U << lane) - 1)));
}

bool isActive(uint32_t mask, uint32_t lane) {
  return ((mask >> lane) & 1U) != 0;
}

std::span<const std::byte> valueOf(const TraceEvent& event, uint32_t lane) {
  return event.values.subspan(positionOf(event.mask, lane) * event.width, event.width);
}

/// The position of `value` in `loaded`. The position `likely` is tried first.
std::optional<uint32_t> shiftOf(std::span<const std::byte> value, std::span<const std::byte> loaded,
                                size_t likely) {
  const auto equalAt = [&](size_t at) {
    return at + value.size() <= loaded.size() &&
           std::memcmp(loaded.data() + at, value.data(), value.size()) == 0;
  };
  if (equalAt(likely)) return static_cast<uint32_t>(likely);
  for (size_t at = 0; at < loaded.size(); at += value.size()) {
    if (equalAt(at)) return static_cast<uint32_t>(at);
  }
  return std::nullopt;
}

/// The loads of the current warp and epoch, by instruction.
class RecentLoads {
 public:
  RecentLoads(const BlockTrace& recording, const Feeds& feeds)
      : recording_(recording), feeds_(feeds) {}

  /// Adds event `index`. When the warp or the epoch changes, earlier loads are forgotten.
  void see(uint32_t index, const TraceEvent& event) {
    if (event.epoch != epoch_ || event.warp != warp_) byInstruction_.clear();
    epoch_ = event.epoch;
    warp_ = event.warp;
    const bool named = event.buffer >= 0 && !event.offsets.empty() && !event.values.empty();
    if (event.operation != Operation::load || event.space != Space::global || !named) return;
    if (feeds_.feeds(event.instruction)) byInstruction_[event.instruction].push_back(index);
  }

  [[nodiscard]] std::optional<Origins::Origin> find(const TraceEvent& store, uint32_t lane,
                                                    std::span<const std::byte> value,
                                                    size_t likelyShift) const {
    std::optional<Origins::Origin> best;
    for (const auto& [consumer, instruction] : feeds_.of(store.instruction)) {
      const auto at = byInstruction_.find(instruction);
      if (at == byInstruction_.end()) continue;
      const auto found = latest(at->second, lane, value, likelyShift);
      if (found && (!best || found->load > best->load)) best = found;
    }
    return best;
  }

 private:
  [[nodiscard]] std::optional<Origins::Origin> latest(const std::vector<uint32_t>& loads,
                                                      uint32_t lane,
                                                      std::span<const std::byte> value,
                                                      size_t likelyShift) const {
    const size_t count = std::min(loads.size(), kLookBack);
    for (size_t back = 1; back <= count; ++back) {
      const uint32_t index = loads[loads.size() - back];
      const TraceEvent load = recording_.event(index);
      if (!isActive(load.mask, lane)) continue;
      if (const auto shift = shiftOf(value, valueOf(load, lane), likelyShift)) {
        return Origins::Origin{index, *shift};
      }
    }
    return std::nullopt;
  }

  const BlockTrace& recording_;
  const Feeds& feeds_;
  uint32_t epoch_ = 0, warp_ = 0;
  std::map<uint32_t, std::vector<uint32_t>> byInstruction_;
};

/// Pending asynchronous copies, by warp, instruction and lane, in the order in which they began.
class CopiesUnderWay {
 public:
  void begin(uint32_t index, const TraceEvent& event) {
    Lanes& lanes = lanes_[{event.warp, event.instruction}];
    for (uint32_t lane = 0; lane < lanes.size(); ++lane) {
      if (isActive(event.mask, lane)) lanes[lane].push_back(index);
    }
  }
  /// Removes the lane's oldest pending copy and returns the event that began it, or nothing if the
  /// recording does not contain that event.
  std::optional<uint32_t> end(const TraceEvent& event, uint32_t lane) {
    std::deque<uint32_t>& copies = lanes_[{event.warp, event.instruction}][lane];
    if (copies.empty()) return std::nullopt;
    const uint32_t first = copies.front();
    copies.pop_front();
    return first;
  }

 private:
  using Lanes = std::array<std::deque<uint32_t>, 32>;
  std::map<std::pair<uint32_t, uint32_t>, Lanes> lanes_;
};

}  // namespace

Origins::Origins(const BlockTrace& recording, const Elements& elements)
    : starts_(recording.size(), kNoEvent) {
  const Feeds feeds(recording);
  RecentLoads recent(recording, feeds);
  CopiesUnderWay copies;
  for (size_t i = 0; i < recording.size(); ++i) {
    const TraceEvent event = recording.event(i);
    const auto index = static_cast<uint32_t>(i);
    recent.see(index, event);
    if (event.operation == Operation::copy) copies.begin(index, event);
    if (event.operation == Operation::arrive && !event.values.empty()) {
      starts_[i] = static_cast<uint32_t>(origins_.size());
      std::optional<uint32_t> copy;
      elements.visit(index, event, event.mask, [&](const Access& access, uint32_t part) {
        if (part == 0) copy = copies.end(event, access.lane);
        const uint32_t shift = part * access.width;
        origins_.push_back({});
        if (!copy) return;
        const TraceEvent begun = recording.event(*copy);
        if (begun.space != Space::global || begun.buffer < 0 || begun.width != event.width) return;
        if (part == 0) destinations_[{*copy, access.lane}] = {access.buffer, access.offset};
        const auto brought = valueOf(begun, access.lane).subspan(shift, access.width);
        const auto found = valueOf(event, access.lane).subspan(shift, access.width);
        if (std::ranges::equal(brought, found)) origins_.back() = {*copy, shift};
      });
      continue;
    }
    const bool store = event.operation == Operation::store && event.space == Space::shared;
    if (!store || event.values.empty() || feeds.of(event.instruction).empty()) continue;
    starts_[i] = static_cast<uint32_t>(origins_.size());
    elements.visit(index, event, event.mask, [&](const Access& access, uint32_t part) {
      const size_t shift = size_t{part} * access.width;
      const auto value = valueOf(event, access.lane).subspan(shift, access.width);
      origins_.push_back(recent.find(event, access.lane, value, shift).value_or(Origin{}));
    });
  }
}

std::optional<Origins::Origin> Origins::of(uint32_t index, const TraceEvent& event, uint8_t lane,
                                           uint32_t part, uint8_t elementWidth) const {
  if (starts_[index] == kNoEvent || elementWidth == 0) return std::nullopt;
  const size_t parts = event.width / elementWidth;
  const Origin& origin = origins_[starts_[index] + positionOf(event.mask, lane) * parts + part];
  if (origin.load == kNoEvent) return std::nullopt;
  return origin;
}

std::optional<Place> Origins::destinationOf(uint32_t copy, uint8_t lane, uint32_t shift) const {
  const auto at = destinations_.find({copy, lane});
  if (at == destinations_.end()) return std::nullopt;
  return Place{at->second.buffer, at->second.offset + shift};
}

Place placeOf(const BlockTrace& recording, const Origins::Origin& origin, uint8_t lane) {
  const TraceEvent load = recording.event(origin.load);
  return {load.buffer, load.offsets[positionOf(load.mask, lane)] + origin.shift};
}

}  // namespace tilestep::trace
