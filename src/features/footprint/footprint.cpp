// SPDX-License-Identifier: Apache-2.0
#include "features/footprint/footprint.h"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>
#include <utility>

#include "base/element.h"
#include "base/figure.h"
#include "model/text/step_text.h"
#include "trace/touched_units.h"

namespace tilestep::features {
namespace {

using trace::Operation;

bool isGlobalRequest(const trace::TraceEvent& event) {
  const Operation operation = event.operation;
  const bool accesses = operation == Operation::load || operation == Operation::store ||
                        operation == Operation::atomic || operation == Operation::copy;
  return accesses && event.space == trace::Space::global && event.width != 0 &&
         !event.offsets.empty();
}

AccessKind kindOf(Operation operation) {
  if (operation == Operation::store) return AccessKind::store;
  return operation == Operation::atomic ? AccessKind::atomic : AccessKind::load;
}

AccessCounts countsOfEvent(const trace::TraceEvent& event) {
  std::vector<uint64_t> offsets(event.offsets.begin(), event.offsets.end());
  std::ranges::sort(offsets);
  return {1, trace::unitsTouched(offsets, event.width, metrics::kSectorBytes),
          trace::unitsTouched(offsets, event.width, metrics::kLineBytes),
          offsets.size() * event.width, trace::unitsTouched(offsets, event.width, 1)};
}

/// Collects the accesses to one operand.
class Gatherer {
 public:
  explicit Gatherer(OperandFootprint operand) : operand_(std::move(operand)) {}

  void add(const trace::TraceEvent& event, size_t request) {
    for (const uint64_t offset : event.offsets) {
      const uint64_t last = offset + event.width - 1;
      for (uint64_t i = offset / operand_.elementBytes; i <= last / operand_.elementBytes; ++i)
        asked_.try_emplace(i, AskedElement{i, event.warp, request});
      for (uint64_t i = offset / metrics::kSectorBytes; i <= last / metrics::kSectorBytes; ++i)
        moved_.try_emplace(i, MovedSector{i, request});
    }
  }
  OperandFootprint finish() {
    for (const auto& [index, element] : asked_) operand_.asked.push_back(element);
    for (const auto& [index, sector] : moved_) operand_.moved.push_back(sector);
    std::ranges::sort(operand_.asked, {}, &AskedElement::index);
    std::ranges::sort(operand_.moved, {}, &MovedSector::index);
    return std::move(operand_);
  }

 private:
  OperandFootprint operand_;
  std::unordered_map<uint64_t, AskedElement> asked_;
  std::unordered_map<uint64_t, MovedSector> moved_;
};

/// Rows of fewer bytes are not drawn as rows of a matrix.
constexpr uint64_t kShortestRow = 16;

OperandFootprint emptyFootprint(const TracedKernel& kernel, int16_t buffer) {
  OperandFootprint operand;
  operand.buffer = buffer;
  operand.name = "global memory";
  const auto& all = kernel.result->plan.operands;
  if (buffer < 0 || static_cast<size_t>(buffer) >= all.size()) return operand;
  const compile::ResolvedOperand& known = all[static_cast<size_t>(buffer)];
  operand.name = known.spec.name;
  operand.elementBytes = bytesOf(known.spec.type);
  operand.elements = known.elements;
  const bool isMatrix = known.rows > 1 && known.columns * operand.elementBytes >= kShortestRow;
  operand.columns = isMatrix ? known.columns : 0;
  return operand;
}

/// "32 lanes request 128 bytes."; if lanes share elements, also the number of distinct bytes.
std::string askedText(const GlobalRequest& request) {
  const AccessCounts& counts = request.counts;
  const std::string lanes =
      plural(request.lanes, "lane") + (request.lanes == 1 ? " requests " : " request ");
  if (counts.distinctBytes == counts.askedBytes)
    return lanes + plural(counts.askedBytes, "byte") + ".";
  return lanes + plural(request.width, "byte") + " each. Lanes share elements, so only " +
         grouped(counts.distinctBytes) + " of these bytes differ.";
}

}  // namespace

const OperandFootprint* Footprint::find(int16_t buffer) const {
  const auto at = std::ranges::find(operands, buffer, &OperandFootprint::buffer);
  return at == operands.end() ? nullptr : &*at;
}

std::optional<size_t> Footprint::lastAt(uint32_t event) const {
  const auto after = std::ranges::upper_bound(requests, event, {}, &GlobalRequest::event);
  if (after == requests.begin()) return std::nullopt;
  return static_cast<size_t>(after - requests.begin()) - 1;
}

CountsByKind Footprint::countsOf(size_t count) const {
  CountsByKind counts;
  for (size_t i = 0; i < std::min(count, requests.size()); ++i)
    counts[static_cast<size_t>(requests[i].kind)] += requests[i].counts;
  return counts;
}

Footprint footprintOf(const TracedKernel& kernel) {
  Footprint footprint;
  std::vector<std::pair<int16_t, Gatherer>> gatherers;
  const trace::BlockTrace& recording = kernel.replay->recording();
  for (size_t i = 0; i < recording.size(); ++i) {
    const trace::TraceEvent event = recording.event(i);
    if (!isGlobalRequest(event)) continue;
    auto at = std::ranges::find(gatherers, event.buffer, &std::pair<int16_t, Gatherer>::first);
    if (at == gatherers.end())
      at = gatherers.insert(at, {event.buffer, Gatherer(emptyFootprint(kernel, event.buffer))});
    at->second.add(event, footprint.requests.size());
    footprint.requests.push_back({static_cast<uint32_t>(i), event.warp, kernel.lineOf(event),
                                  kindOf(event.operation), event.buffer, event.width,
                                  static_cast<uint32_t>(event.offsets.size()),
                                  countsOfEvent(event)});
    footprint.mostLines = std::max(footprint.mostLines, footprint.requests.back().counts.lines);
  }
  footprint.whole = footprint.countsOf(footprint.requests.size());
  for (auto& [buffer, gatherer] : gatherers) footprint.operands.push_back(gatherer.finish());
  return footprint;
}

RequestPicture pictureOf(const TracedKernel& kernel, const GlobalRequest& request) {
  RequestPicture picture{request, emptyFootprint(kernel, request.buffer).name, {}, {}, {}};
  const trace::TraceEvent event = kernel.replay->recording().event(request.event);
  size_t at = 0;
  for (uint32_t lanes = event.mask; lanes != 0; lanes &= lanes - 1, ++at)
    picture.lanes.push_back({static_cast<uint32_t>(std::countr_zero(lanes)), event.offsets[at]});
  picture.coalescing = metrics::coalesce(event.offsets, event.width);
  picture.lines = memoryLinesOf(picture.lanes, request.width, picture.coalescing.sectors);
  for (MemoryLine& line : picture.lines)
    line.name = globalName(kernel, request.buffer, line.number * metrics::kLineBytes);
  return picture;
}

std::string globalName(const TracedKernel& kernel, int16_t buffer, uint64_t offset) {
  const auto& all = kernel.result->plan.operands;
  const bool isKnown = buffer >= 0 && static_cast<size_t>(buffer) < all.size();
  if (!isKnown || all[static_cast<size_t>(buffer)].rows > 1)
    return elementName(kernel, buffer, static_cast<uint32_t>(offset));
  const OperandFootprint operand = emptyFootprint(kernel, buffer);
  return operand.name + "[" + std::to_string(offset / operand.elementBytes) + "]";
}

const char* nameOf(AccessKind kind) {
  constexpr std::array<const char*, kAccessKinds> kNames{"loads", "stores", "atomics"};
  return kNames[static_cast<size_t>(kind)];
}

std::string requestSentence(const RequestPicture& picture) {
  constexpr std::array<const char*, kAccessKinds> kDoes{" loads from ", " stores to ", " updates "};
  const GlobalRequest& request = picture.request;
  const AccessCounts& counts = request.counts;
  const uint64_t moved = counts.sectors * metrics::kSectorBytes;
  std::string text = "Warp " + std::to_string(request.warp);
  if (request.line > 0) text += ", line " + std::to_string(request.line) + ",";
  text += kDoes[static_cast<size_t>(request.kind)] + picture.name + ": " + askedText(request) +
          " They are in " + plural(counts.sectors, "sector") + ", ";
  if (counts.distinctBytes == moved) return text + "and every byte of these is requested.";
  return text + grouped(moved) + " bytes, of which " + toText(counts.usefulShare(), Unit::ratio) +
         " are requested.";
}

}  // namespace tilestep::features
