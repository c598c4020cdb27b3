// SPDX-License-Identifier: Apache-2.0
// Copies and fills of memory.
#include <algorithm>
#include <cstring>
#include <memory>
#include <tuple>
#include <utility>

#include "program/answers.h"
#include "program/errors.h"
#include "program/service.h"

namespace tilestep::program {
namespace {

const char* directionOf(int kind) {
  constexpr const char* kNames[] = {"host to host", "host to device", "device to host",
                                    "device to device", "default"};
  return kind >= 0 && kind < 5 ? kNames[kind] : "";
}

struct Box {
  uint64_t start = 0, pitch = 0, slice = 0;
  uint64_t width = 0, height = 0, depth = 0;

  /// The distance from the box's start to its end; nothing if it is longer than any memory.
  [[nodiscard]] std::optional<uint64_t> reach() const {
    uint64_t rows = 0, slices = 0, all = 0;
    if (__builtin_mul_overflow(height - 1, pitch, &rows) ||
        __builtin_mul_overflow(depth - 1, slice, &slices) ||
        __builtin_add_overflow(rows, slices, &all) || __builtin_add_overflow(all, width, &all))
      return std::nullopt;
    return all;
  }
  [[nodiscard]] uint64_t bytes() const { return width * height * depth; }
  [[nodiscard]] Ranges ranges() const {
    Ranges all;
    eachRow([&](uint64_t at) {
      const ByteRange row{start + at, start + at + width};
      if (!all.empty() && row.begin <= all.back().end)
        all.back().end = std::max(all.back().end, row.end);
      else
        all.push_back(row);
    });
    return all;
  }
  template <class Do>
  void eachRow(const Do& what) const {
    for (uint64_t z = 0; z < depth; ++z) {
      for (uint64_t y = 0; y < height; ++y) what(z * slice + y * pitch);
    }
  }
};

/// Adds the bytes whose marks show that they were never set.
void addUnset(const uint8_t* marks, uint64_t address, uint64_t bytes, Ranges& to) {
  for (uint64_t i = 0; i < bytes;) {
    const auto* const next = static_cast<const uint8_t*>(std::memchr(marks + i, 0, bytes - i));
    if (next == nullptr) return;
    const auto begin = static_cast<uint64_t>(next - marks);
    uint64_t end = begin + 1;
    while (end < bytes && marks[end] == 0) ++end;
    if (!to.empty() && to.back().end == address + begin)
      to.back().end = address + end;
    else
      to.push_back({address + begin, address + end});
    i = end;
  }
}

Box toOf(const guest::Copy& copy) {
  return {copy.to, copy.toPitch, copy.toSlice, copy.width, copy.height, copy.depth};
}
Box fromOf(const guest::Copy& copy) {
  return {copy.from, copy.fromPitch, copy.fromSlice, copy.width, copy.height, copy.depth};
}

/// The rows of a box whose first byte is at `host`.
std::vector<iovec> rowsOf(const Box& box, uint8_t* host) {
  std::vector<iovec> rows;
  rows.reserve(box.height * box.depth);
  box.eachRow([&](uint64_t offset) { rows.push_back({host + offset, box.width}); });
  return rows;
}

/// Marks the bytes of the box as written.
void mark(Allocation& allocation, const Box& box) {
  uint8_t* const marks = allocation.written.data() + (box.start - allocation.address);
  box.eachRow([&](uint64_t offset) { std::memset(marks + offset, 1, box.width); });
}

bool areZero(const std::vector<iovec>& rows) {
  return std::ranges::all_of(rows, [](const iovec& row) {
    const auto* const bytes = static_cast<const uint8_t*>(row.iov_base);
    return bytes[0] == 0 && std::memcmp(bytes, bytes + 1, row.iov_len - 1) == 0;
  });
}

/// Copies consecutive rows into a box.
void copyFrom(const uint8_t* rows, Allocation& target, const Box& to) {
  uint8_t* const host = target.host + (to.start - target.address);
  to.eachRow([&](uint64_t offset) {
    std::memcpy(host + offset, rows, to.width);
    rows += to.width;
  });
  mark(target, to);
}

/// Copies a box and its marks to another box of the same extent.
void copyWithin(Allocation& target, const Box& to, const Allocation& source, const Box& from) {
  const uint64_t toStart = to.start - target.address, fromStart = from.start - source.address;
  for (uint64_t z = 0; z < to.depth; ++z) {
    for (uint64_t y = 0; y < to.height; ++y) {
      const uint64_t toAt = toStart + z * to.slice + y * to.pitch;
      const uint64_t fromAt = fromStart + z * from.slice + y * from.pitch;
      std::memmove(target.host + toAt, source.host + fromAt, to.width);
      std::memmove(target.written.data() + toAt, source.written.data() + fromAt, to.width);
    }
  }
}

/// Sends the rows to the host, while no work is running.
std::vector<iovec> takeOut(const Allocation& source, const Box& from, Work& work) {
  std::vector<iovec> rows = rowsOf(from, source.host + (from.start - source.address));
  const uint8_t* const marks = source.written.data() + (from.start - source.address);
  from.eachRow([&](uint64_t offset) {
    addUnset(marks + offset, from.start + offset, from.width, work.unset);
  });
  work.isZero = areZero(rows);
  work.done = true;
  return rows;
}

/// Receives the rows from the host, while no work is running; false if they do not arrive.
bool putIn(Wire& wire, Allocation& target, const Box& to, Work& work) {
  const std::vector<iovec> rows = rowsOf(to, target.host + (to.start - target.address));
  if (!wire.take(rows)) return false;
  mark(target, to);
  work.isZero = areZero(rows);
  work.done = true;
  return true;
}

/// The conflict between a copy's direction and its two ends, in a sentence; empty if there is none.
std::string wrongEnds(const guest::Copy& copy, Memory& memory) {
  const auto isHost = [&](uint64_t address) {
    if (!memory.isDevices(address)) return true;
    const Allocation* const found = memory.at(address);
    return found != nullptr && found->kind != guest::MemoryKind::device;
  };
  const bool toHost = isHost(copy.to), fromHost = isHost(copy.from);
  const bool toDevice = memory.isDevices(copy.to), fromDevice = memory.isDevices(copy.from);
  const bool wantsToHost = copy.kind == 0 || copy.kind == 2, wantsFromHost = copy.kind <= 1;
  if (copy.kind == 4) return {};
  const bool toFits = wantsToHost ? toHost : toDevice;
  const bool fromFits = wantsFromHost ? fromHost : fromDevice;
  if (toFits && fromFits) return {};
  const auto end = [](bool onHost) { return onHost ? "the host's memory" : "the device's memory"; };
  std::string text = std::string("The copy's direction is ") + directionOf(copy.kind) +
                     ", but its target is " + end(!toDevice) + " and its source " +
                     end(!fromDevice);
  if (!toFits && !fromFits)
    return text + "; swap the target and the source, or change the direction";
  constexpr const char* kRight[2][2] = {{"cudaMemcpyHostToHost", "cudaMemcpyDeviceToHost"},
                                        {"cudaMemcpyHostToDevice", "cudaMemcpyDeviceToDevice"}};
  return text + "; " + kRight[toDevice][fromDevice] + " is the right direction";
}

}  // namespace

Service::Answer Service::copy(const Request& request) {
  const auto wanted = request.as<guest::Copy>();
  if (!wanted || wanted->width == 0 || wanted->height == 0 || wanted->depth == 0)
    return {kInvalidValue, {}, {}};
  const guest::Copy& copy = *wanted;
  CallRecord& call = record(request, copy.isAsync != 0 ? "cudaMemcpyAsync" : "cudaMemcpy", 0);
  call.direction = directionOf(copy.kind);
  call.stream = copy.stream;
  if (copy.isAsync && streamOf(copy.stream) == nullptr)
    return {call.result = kInvalidResourceHandle, {}, {}};
  const Box to = toOf(copy), from = fromOf(copy);
  const auto toReach = to.reach(), fromReach = from.reach();
  if (!toReach || !fromReach) return {call.result = kInvalidValue, {}, {}};
  call.bytes = to.bytes();
  // A guest on a GPU sends the bytes of each copied row with the request.
  const auto told = request.behind<guest::Copy>();
  if (request.unread + told.size() != (copy.carries != 0 ? call.bytes : 0))
    return {call.result = kInvalidValue, {}, {}};
  if (const int error = deviceError(); error != 0) return {call.result = error, {}, {}};
  const bool toDevice = memory_.isDevices(copy.to), fromDevice = memory_.isDevices(copy.from);
  Allocation *target = nullptr, *source = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (std::string wrong = wrongEnds(copy, memory_); !wrong.empty()) {
      find("wrong-direction", Severity::fault, request.head.where, std::move(wrong));
      return {call.result = kInvalidValue, {}, {}};
    }
    if (toDevice) target = memory_.holder(copy.to, *toReach);
    if (fromDevice) source = memory_.holder(copy.from, *fromReach);
    for (const auto& [is, found, box, reach, word] :
         {std::tuple{toDevice, target, to, *toReach, "target"},
          std::tuple{fromDevice, source, from, *fromReach, "source"}}) {
      if (!is || found != nullptr) continue;
      const Allocation* const near = memory_.at(box.start);
      std::string text = "The copy's " + std::string(word) + " is not in device memory";
      const bool isFreed = near != nullptr && near->freed;
      if (isFreed)
        text = "The copy's " + std::string(word) + ", " + near->name + ", was freed";
      else if (near != nullptr && box.start >= near->address)
        text = "The copy of " + bytesText(call.bytes) + " goes past the end of " + near->name +
               ": it has " + bytesText(near->bytes) + ", and " +
               bytesText(near->bytes - std::min(near->bytes, box.start - near->address)) +
               " remain where the " + word + " begins";
      find(isFreed ? "use-after-free" : "copy-out-of-bounds", Severity::fault, request.head.where,
           std::move(text));
      return {call.result = kInvalidValue, {}, {}};
    }
  }
  if (!toDevice && !fromDevice) return {};
  if (target != nullptr) target->isSet = true;
  Work asked;
  asked.what = call.name;
  asked.fromHost = !fromDevice;
  asked.toHost = !toDevice;
  if (fromDevice) asked.uses.plainReads = from.ranges();
  if (toDevice) asked.uses.plainWrites = to.ranges();
  const size_t number = issue(request, copy.stream, std::move(asked));
  // If this process does the copy, data from the host came with the request.
  if (!isOnlyTold() && target != nullptr && source == nullptr && copy.carries == 0)
    return {call.result = kInvalidValue, {}, {}};
  Answer answer;
  if (isOnlyTold()) {
    // The GPU's driver has done the copy.
  } else if (toDevice && fromDevice) {
    enqueue(copy.stream, [this, target, source, to, from, number] {
      const std::lock_guard lock(mutex_);
      if (error_ != 0) return;
      log_.at(number).done = true;
      copyWithin(*target, to, *source, from);
    });
  } else if (fromDevice) {
    waitForAll();
    if (deviceError() == 0) answer.rows = takeOut(*source, from, log_.at(number));
  } else if (!told.empty() || (copy.isAsync != 0 && !queue_.isIdle())) {
    // The host may continue and change its memory at once, as with a GPU, so its data is kept.
    const std::shared_ptr<uint8_t[]> kept = std::make_unique_for_overwrite<uint8_t[]>(call.bytes);
    const std::vector<iovec> all{{kept.get(), call.bytes}};
    if (!told.empty())
      std::ranges::copy(told, kept.get());
    else if (!wire_.take(all))
      return {call.result = kInvalidValue, {}, {}};
    const bool isZero = areZero(all);
    enqueue(copy.stream, [this, target, to, kept, isZero, number] {
      const std::lock_guard lock(mutex_);
      if (error_ != 0) return;
      log_.at(number).isZero = isZero;
      log_.at(number).done = true;
      copyFrom(kept.get(), *target, to);
    });
  } else {
    waitForAll();
    if (deviceError() == 0 && !putIn(wire_, *target, to, log_.at(number)))
      return {call.result = kInvalidValue, {}, {}};
  }
  // Without pinned memory, the call returns when the copy is complete or its source has been read.
  if (copy.isAsync == 0 || !toDevice) {
    if (toDevice && fromDevice) waitFor(streamOf(copy.stream)->last);
    const std::lock_guard lock(mutex_);
    order_.waitFor(log_.at(number).ticket);
  }
  if (const int error = deviceError(); error != 0) return {call.result = error, {}, {}};
  return answer;
}

Service::Answer Service::fill(const Request& request) {
  const auto wanted = request.as<guest::Fill>();
  if (!wanted || wanted->width == 0 || wanted->height == 0 || wanted->depth == 0)
    return {kInvalidValue, {}, {}};
  CallRecord& call = record(request, "cudaMemset", 0);
  const Box to{wanted->to,    wanted->pitch,  wanted->slice,
               wanted->width, wanted->height, wanted->depth};
  const auto reach = to.reach();
  if (!reach) return {call.result = kInvalidValue, {}, {}};
  call.bytes = to.bytes();
  call.stream = wanted->stream;
  if (wanted->isAsync && streamOf(wanted->stream) == nullptr)
    return {call.result = kInvalidResourceHandle, {}, {}};
  if (const int error = deviceError(); error != 0) return {call.result = error, {}, {}};
  Allocation* target = nullptr;
  {
    const std::lock_guard lock(mutex_);
    target = memory_.holder(to.start, *reach);
    if (target == nullptr) {
      const Allocation* const near = memory_.isDevices(to.start) ? memory_.at(to.start) : nullptr;
      if (near == nullptr)
        find("wrong-direction", Severity::fault, request.head.where,
             "cudaMemset is given a host address, but it sets device memory");
      else
        find("copy-out-of-bounds", Severity::fault, request.head.where,
             "cudaMemset of " + bytesText(call.bytes) + " goes past the end of " + near->name +
                 ", which has " + bytesText(near->bytes));
      return {call.result = kInvalidValue, {}, {}};
    }
  }
  target->isSet = true;
  Work asked;
  asked.kind = WorkKind::fill;
  asked.what = call.name;
  asked.byte = static_cast<uint8_t>(wanted->byte);
  asked.uses.plainWrites = to.ranges();
  const size_t number = issue(request, wanted->stream, std::move(asked));
  enqueue(wanted->stream, [this, target, to, number, byte = static_cast<int>(wanted->byte)] {
    const std::lock_guard lock(mutex_);
    if (error_ != 0) return;
    log_.at(number).done = true;
    const uint64_t at = to.start - target->address;
    to.eachRow([&](uint64_t offset) {
      std::memset(target->host + at + offset, byte, to.width);
      std::memset(target->written.data() + at + offset, 1, to.width);
    });
  });
  return {};
}

}  // namespace tilestep::program
