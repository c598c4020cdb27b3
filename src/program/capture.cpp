// SPDX-License-Identifier: Apache-2.0
#include "program/capture.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace tilestep::program {
namespace {

using device::ByteSpan;
using device::kMemoryBlockBytes;
using device::MemoryBlock;
using device::MemoryRange;

bool isZero(const uint8_t* bytes, uint64_t count) {
  return std::all_of(bytes, bytes + count, [](uint8_t byte) { return byte == 0; });
}

/// Whether `block` has the same bytes. A null block is all zero.
bool isSame(const MemoryBlock& block, const uint8_t* bytes, uint64_t count) {
  if (block == nullptr) return isZero(bytes, count);
  return block->size() == count && std::memcmp(block->data(), bytes, count) == 0;
}

std::vector<ByteSpan> unsetIn(std::span<const uint8_t> written) {
  std::vector<ByteSpan> spans;
  const auto isSet = [](uint8_t mark) { return mark != 0; };
  for (auto at = std::ranges::find(written, 0); at != written.end();) {
    const auto end = std::find_if(at, written.end(), isSet);
    spans.push_back({static_cast<uint64_t>(at - written.begin()),
                     static_cast<uint64_t>(end - written.begin())});
    at = std::find(end, written.end(), 0);
  }
  return spans;
}

/// The parts of `all` inside the range, relative to its start.
std::vector<ByteSpan> spansIn(const MemoryRange& range, const Ranges& all) {
  std::vector<ByteSpan> spans;
  for (const ByteRange& each : all)
    if (each.begin >= range.address && each.end <= range.address + range.bytes)
      spans.push_back({each.begin - range.address, each.end - range.address});
  return spans;
}

}  // namespace

bool Capture::takeContents(const Allocation& allocation, MemoryRange& range) {
  std::vector<MemoryBlock>& latest = latest_[allocation.address];
  latest.resize((allocation.bytes + kMemoryBlockBytes - 1) / kMemoryBlockBytes);
  for (uint64_t i = 0; i < latest.size(); ++i) {
    const uint64_t first = i * kMemoryBlockBytes;
    const uint64_t count = std::min(kMemoryBlockBytes, allocation.bytes - first);
    const uint8_t* const bytes = allocation.host + first;
    if (isSame(latest[i], bytes, count)) continue;
    if (isZero(bytes, count)) {
      latest[i] = nullptr;
      continue;
    }
    if (count > mostBytes_ - bytes_) return false;
    bytes_ += count;
    const auto* const copied = reinterpret_cast<const std::byte*>(bytes);
    latest[i] = std::make_shared<const std::vector<std::byte>>(copied, copied + count);
  }
  range.contents = latest;
  range.unset = unsetIn(allocation.written);
  return true;
}

std::shared_ptr<device::CapturedLaunch> Capture::take(const Kernel& kernel,
                                                      std::span<const uint8_t> parameters,
                                                      Memory& memory, const LaunchRecord& record,
                                                      uint64_t number) {
  auto launch = std::make_shared<device::CapturedLaunch>();
  launch->program = record.place.file;
  launch->number = number;
  launch->kernel = kernel.name;
  launch->line = record.place.line;
  launch->ptx = *kernel.text;
  launch->module = kernel.module;
  launch->launch = record.launch;
  launch->launch.entry = kernel.entry->name;
  launch->parameters.assign(parameters.begin(), parameters.end());
  for (const auto& [address, allocation] : memory.all()) {
    if (allocation.freed) continue;
    MemoryRange range;
    range.address = address;
    range.bytes = allocation.bytes;
    range.name = allocation.name;
    range.line = allocation.line;
    if (allocation.module == kernel.moduleNumber) range.symbol = allocation.symbol;
    if (!takeContents(allocation, range)) {
      for (MemoryRange& each : launch->ranges) each.contents.clear();
      launch->hasContents = false;
      return launch;
    }
    launch->ranges.push_back(std::move(range));
  }
  return launch;
}

void addAccesses(const Uses& uses, device::CapturedLaunch& launch) {
  launch.knowsAccesses = uses.isKnown;
  const Ranges reads = uses.reads(), writes = uses.writes();
  for (MemoryRange& range : launch.ranges) {
    range.read = spansIn(range, reads);
    range.written = spansIn(range, writes);
  }
}

}  // namespace tilestep::program
