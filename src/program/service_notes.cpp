// SPDX-License-Identifier: Apache-2.0
#include "program/answers.h"
#include "program/errors.h"
#include "program/service.h"

namespace tilestep::program {
using guest::Call;
using guest::MemoryKind;

Service::Answer Service::limit(const Request& request) {
  const auto wanted = request.as<guest::FunctionAttribute>();
  if (!wanted || wanted->attribute < 0 || wanted->attribute > 6) return {kInvalidValue, {}, {}};
  if (request.head.call == Call::setLimit) {
    limits_[wanted->attribute] = static_cast<uint64_t>(wanted->value);
    return {};
  }
  // CUDA's default limits of a device: CUDA Runtime API, cudaDeviceSetLimit.
  constexpr uint64_t kUsual[] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
  const auto found = limits_.find(wanted->attribute);
  return {0, bytesOf(found != limits_.end() ? found->second : kUsual[wanted->attribute]), {}};
}

Service::Answer Service::note(const Request& request) {
  const auto noted = request.as<guest::Noted>();
  if (!noted) return {kInvalidValue, {}, {}};
  switch (noted->note) {
    case guest::Note::askedForError:
      record(request, "cudaGetLastError", noted->value).asksForErrors = true;
      return {};
    case guest::Note::namedError:
      record(request, "cudaGetErrorString", noted->value).asksForErrors = true;
      return {};
    case guest::Note::waitedForDevice: {
      waitForAll();
      order_.waitForDevice();
      const int error = deviceError();
      record(request, "cudaDeviceSynchronize", error).waits = true;
      return {error, {}, {}};
    }
    case guest::Note::usedCublas:
      served_.libraries.insert("cuBLAS");
      return {};
    case guest::Note::pinnedMemory:
      served_.pinsMemory = true;
      return {};
    case guest::Note::usedCurand:
      served_.libraries.insert("cuRAND");
      return {};
    case guest::Note::resetDevice: {
      waitForAll();
      order_.waitForDevice();
      record(request, "cudaDeviceReset", 0);
      const std::lock_guard lock(mutex_);
      for (auto& [address, allocation] : memory_.all()) {
        if (!allocation.freed && allocation.symbol.empty())
          memory_.release(address, request.head.where);
      }
      error_ = 0;
      return {};
    }
  }
  return {kInvalidValue, {}, {}};
}

Service::Answer Service::touched(const Request& request) {
  const auto touch = request.as<guest::Touched>();
  if (!touch) return {kInvalidValue, {}, {}};
  const std::lock_guard lock(mutex_);
  const Allocation* const found = memory_.at(touch->address);
  // With a GPU, only the signal reports an address of neither the device nor the host.
  if (rules_.gpu >= 0 && (!memory_.isDevices(touch->address) ||
                          (found != nullptr && found->kind != MemoryKind::device)))
    return {};
  if (found != nullptr && found->kind != MemoryKind::device && !found->freed) {
    Work work;
    work.kind = WorkKind::host;
    work.ticket = order_.host();
    work.what = "The host";
    work.where = request.head.where;
    work.place = places_.of(work.where);
    work.moment = ++moment_;
    work.done = true;
    Ranges& bytes = touch->isWrite != 0 ? work.uses.plainWrites : work.uses.plainReads;
    bytes = {{touch->address, touch->address + 1}};
    log_.add(std::move(work), order_);
    return {};
  }
  const std::string name = found != nullptr ? found->name : "the device's memory";
  find("host-touches-device-memory", Severity::fault, request.head.where,
       std::string("The host ") + (touch->isWrite != 0 ? "writes to " : "reads from ") + name +
           ", which is memory of the device; copy it with cudaMemcpy, or allocate it with "
           "cudaMallocManaged");
  return {};
}

Service::Answer Service::refused(const Request& request) {
  const auto told = request.as<guest::Refused>();
  if (!told) return {kInvalidValue, {}, {}};
  CallRecord& call = record(request, "cudaMemcpy", told->error);
  call.bytes = told->bytes;
  if (told->address == 0) {
    find("wrong-size", Severity::fault, request.head.where,
         "The copy is refused: its rows of " + bytesText(told->bytes) +
             " are longer than their pitch of " + bytesText(told->room) +
             "; pitch and width are in bytes");
    return {told->error, {}, {}};
  }
  const std::lock_guard lock(mutex_);
  const Allocation* const variable = memory_.at(told->address);
  find("copy-out-of-bounds", Severity::fault, request.head.where,
       "The copy is refused: it goes past the end of " +
           (variable != nullptr ? variable->name : std::string("the variable")) + ", which has " +
           bytesText(told->room) + ", but " + bytesText(told->bytes) + " are requested");
  return {told->error, {}, {}};
}

Service::Answer Service::overflowed(const Request& request) {
  const auto told = request.as<guest::Overflowed>();
  if (!told) return {kInvalidValue, {}, {}};
  const bool isInt = told->bits == 32;
  find("overflow", Severity::remark, request.head.where,
       std::to_string(told->left) + " * " + std::to_string(told->right) + " is more than " +
           (isInt ? "an int" : std::to_string(told->bits) + " bits") +
           " can hold, so the result is undefined; compute sizes and indices with size_t");
  return {};
}

}  // namespace tilestep::program
