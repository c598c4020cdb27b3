// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "program/answers.h"
#include "program/errors.h"
#include "program/service.h"

namespace tilestep::program {
using guest::MemoryKind;

namespace {

/// The runtime functions that allocate memory of this kind.
std::vector<const char*> callsFor(const guest::Allocate& wanted) {
  if (wanted.kind == MemoryKind::managed) return {"cudaMallocManaged"};
  if (wanted.kind == MemoryKind::pinned) return {"cudaMallocHost", "cudaHostAlloc"};
  if (wanted.rows != 0) return {"cudaMallocPitch", "cudaMalloc3D"};
  if (wanted.isAsync != 0) return {"cudaMallocAsync"};
  return {"cudaMalloc"};
}

}  // namespace

Service::Answer Service::allocate(const Request& request) {
  const auto wanted = request.as<guest::Allocate>();
  if (!wanted) return {kInvalidValue, {}, {}};
  constexpr uint64_t kPitch = 512;
  guest::Allocated got{};
  uint64_t bytes = wanted->bytes;
  if (wanted->rows > 0) {
    got.pitch = (wanted->bytes + kPitch - 1) / kPitch * kPitch;
    if (got.pitch < wanted->bytes || __builtin_mul_overflow(got.pitch, wanted->rows, &bytes))
      return {kOutOfMemory, {}, {}};
  }
  CallRecord& call = record(request, "cudaMalloc", 0);
  call.bytes = bytes;
  call.stream = wanted->stream;
  if (const int error = deviceError(); error != 0) return {call.result = error, {}, {}};
  // CUDA returns a null pointer for an allocation of 0 bytes.
  if (bytes == 0) return {0, bytesOf(got), {}};
  Memory::Shared shared;
  const bool isShared = wanted->kind != MemoryKind::device && rules_.gpu < 0;
  sharesMemory_ = sharesMemory_ || wanted->kind != MemoryKind::device;
  const std::lock_guard lock(mutex_);
  Allocation* const made =
      told_ != nullptr ? adoptTold(bytes, wanted->kind)
                       : memory_.allocate(bytes, wanted->kind, isShared ? &shared : nullptr);
  if (made == nullptr && rules_.gpu >= 0 && told_ == nullptr) {
    // Not an error yet, because the guest asks the driver next.
    served_.calls.pop_back();
    return {kOutOfMemory, {}, {}};
  }
  if (made == nullptr) {
    findFailedAllocation(request, bytes);
    return {call.result = kOutOfMemory, {}, {}};
  }
  made->where = request.head.where;
  made->moment = call.moment;
  made->name = nameInText(*made, *wanted, call);
  made->line = call.place.line;
  got.address = made->address;
  got.mapped = shared.bytes;
  return {0, bytesOf(got), std::move(shared.descriptor)};
}

void Service::findFailedAllocation(const Request& request, uint64_t bytes) {
  // No device has this much memory, so a negative number was converted to a size.
  constexpr uint64_t kNegative = uint64_t{1} << 48;
  if (bytes >= kNegative)
    find("overflow", Severity::fault, request.head.where,
         "The allocation is of " + std::to_string(bytes) + " bytes (as a signed number " +
             std::to_string(static_cast<int64_t>(bytes)) +
             "): a product of 32-bit numbers has overflowed. Make the first of them a size_t");
  else
    find("out-of-memory", Severity::remark, request.head.where,
         "The allocation of " + bytesText(bytes) + " fails: the limit is " +
             bytesText(memory_.most()) + " per program, of which it already uses " +
             bytesText(memory_.used()));
}

Service::Answer Service::release(const Request& request) {
  const auto wanted = request.as<guest::Release>();
  if (!wanted) return {kInvalidValue, {}, {}};
  waitForAll();
  order_.waitForDevice();
  CallRecord& call = record(request, "cudaFree", 0);
  call.stream = wanted->stream;
  if (const int error = deviceError(); error != 0) return {call.result = error, {}, {}};
  const std::lock_guard lock(mutex_);
  Allocation* const found = memory_.at(wanted->address);
  if (!memory_.isDevices(wanted->address) || found == nullptr) {
    find("wrong-direction", Severity::fault, request.head.where,
         "cudaFree is given a host address; use free or delete instead");
    return {call.result = kInvalidValue, {}, {}};
  }
  if (found->address != wanted->address) {
    find("use-after-free", Severity::fault, request.head.where,
         "cudaFree is given an address inside " + found->name +
             "; pass the address that cudaMalloc returned");
    return {call.result = kInvalidValue, {}, {}};
  }
  if (found->freed) {
    find("use-after-free", Severity::fault, request.head.where, found->name + " is freed twice");
    return {call.result = kInvalidValue, {}, {}};
  }
  call.bytes = found->bytes;
  found->freedLine = call.place.line;
  memory_.release(wanted->address, request.head.where);
  return {};
}

std::string Service::nameInText(const Allocation& allocation, const guest::Allocate& wanted,
                                CallRecord& call) {
  const size_t number = places_.numberInLine(allocation.where);
  for (const char* each : callsFor(wanted)) {
    std::string argument = firstArgument(call.place, each, number);
    if (argument.empty()) continue;
    call.name = each;
    return argument;
  }
  return "an allocation of " + bytesText(allocation.bytes);
}

Service::Answer Service::memoryInfo() {
  const std::lock_guard lock(mutex_);
  const uint64_t all = rules_.device.globalBytes;
  const uint64_t both[2] = {all - std::min(all, memory_.used()), all};
  const auto* first = reinterpret_cast<const uint8_t*>(both);
  return {0, {first, first + sizeof both}, {}};
}

Service::Answer Service::pointer(const Request& request) {
  const auto wanted = request.as<guest::Pointed>();
  if (!wanted) return {kInvalidValue, {}, {}};
  const std::lock_guard lock(mutex_);
  const Allocation* const found = memory_.holder(wanted->address, 1);
  if (found == nullptr) return {kInvalidValue, {}, {}};
  return {0, bytesOf(guest::PointerFacts{found->address, found->bytes, found->kind}), {}};
}

}  // namespace tilestep::program
