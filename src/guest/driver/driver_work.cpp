// SPDX-License-Identifier: Apache-2.0
// Work of the GPU: launches, streams and events, and the host's waits for them.
#include "cuda_runtime.h"
#include "guest/driver/driver_server.h"

namespace tilestep::guest {
namespace {

void* handleOf(uint64_t number) {
  return reinterpret_cast<void*>(number);
}

/// Whether the runtime accepts the grid and block. The driver returns a different error.
bool isPossible(const Launch& wanted, const DeviceFacts& device) {
  constexpr uint32_t kMost[] = {1024, 1024, 64}, kMostBlocks[] = {0x7fffffff, 65535, 65535};
  uint64_t threads = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const uint32_t block = wanted.block[axis], grid = wanted.grid[axis];
    if (block == 0 || grid == 0 || block > kMost[axis] || grid > kMostBlocks[axis]) return false;
    threads *= block;
  }
  return threads <= static_cast<uint64_t>(device.threadsPerBlock);
}

}  // namespace

DriverServer::Done DriverServer::launch(const Launch& wanted, const void* parameters) {
  void* const stream = handleOf(wanted.stream);
  if (functionOf(wanted.function) == nullptr) return {cudaErrorInvalidDeviceFunction};
  if (!lives(wanted.stream)) return {cudaErrorInvalidResourceHandle};
  if (!isPossible(wanted, facts_)) return {cudaErrorInvalidConfiguration};
  if (mirror_.look() == Look::yes) {
    std::vector<void*> streams{nullptr};
    const std::lock_guard lock(mutex_);
    for (const uint64_t each : streams_) streams.push_back(handleOf(each));
    mirror_.capture(streams);
  }
  const Kernel& kernel = kernels_[wanted.function];
  auto* const first = static_cast<char*>(const_cast<void*>(parameters));
  std::vector<void*> places;
  places.reserve(kernel.parameters.size());
  for (const Parameter& each : kernel.parameters) places.push_back(first + each.offset);
  const auto* const grid = wanted.grid;
  const auto* const block = wanted.block;
  const auto bytes = static_cast<unsigned>(wanted.sharedBytes);
  Done done;
  done.work = times_.begin(stream);
  done.error =
      wanted.isCooperative != 0
          ? driver_.launchCooperativeKernel(kernel.handle, grid[0], grid[1], grid[2], block[0],
                                            block[1], block[2], bytes, stream, places.data())
          : driver_.launchKernel(kernel.handle, grid[0], grid[1], grid[2], block[0], block[1],
                                 block[2], bytes, stream, places.data(), nullptr);
  times_.end(done.work, stream);
  return done;
}

bool DriverServer::lives(uint64_t handle) const {
  // The default stream's three handles.
  constexpr uint64_t kOwn = 2;
  if (handle <= kOwn) return true;
  const std::lock_guard lock(mutex_);
  return streams_.contains(handle) || events_.contains(handle);
}

DriverServer::Done DriverServer::wait(const Handles& wanted) {
  if (!lives(wanted.first)) return {cudaErrorInvalidResourceHandle};
  link_.flush();
  void* const handle = handleOf(wanted.first);
  const Done done{wanted.isEvent != 0 ? driver_.eventSynchronize(handle)
                                      : driver_.streamSynchronize(handle)};
  times_.collect();
  return done;
}

DriverServer::Done DriverServer::query(const Handles& wanted) const {
  if (!lives(wanted.first)) return {cudaErrorInvalidResourceHandle};
  void* const handle = handleOf(wanted.first);
  return {wanted.isEvent != 0 ? driver_.eventQuery(handle) : driver_.streamQuery(handle)};
}

DriverServer::Done DriverServer::handles(Call call, const Handles& wanted, Answer* answer) {
  void* fresh = nullptr;
  if (call == Call::stream || call == Call::event) {
    Done done{call == Call::stream ? driver_.streamCreate(&fresh, wanted.flags)
                                   : driver_.eventCreate(&fresh, wanted.flags)};
    done.made = reinterpret_cast<uint64_t>(fresh);
    *static_cast<uint64_t*>(answer->to[0].iov_base) = done.made;
    const std::lock_guard lock(mutex_);
    if (done.error == 0) (call == Call::stream ? streams_ : events_).insert(done.made);
    return done;
  }
  if (!lives(wanted.first) || !lives(wanted.second)) return {cudaErrorInvalidResourceHandle};
  void *const first = handleOf(wanted.first), *const second = handleOf(wanted.second);
  if (call == Call::record) return {driver_.eventRecord(first, second)};
  if (call == Call::await) return {driver_.streamWaitEvent(first, second, 0)};
  {
    const std::lock_guard lock(mutex_);
    if ((call == Call::endStream ? streams_ : events_).erase(wanted.first) == 0)
      return {cudaErrorInvalidResourceHandle};
  }
  return {call == Call::endStream ? driver_.streamDestroy(first) : driver_.eventDestroy(first)};
}

DriverServer::Done DriverServer::note(const Noted& noted) {
  if (noted.note != Note::waitedForDevice && noted.note != Note::resetDevice) return {};
  link_.flush();
  const Done done{driver_.ctxSynchronize()};
  times_.collect();
  return done;
}

}  // namespace tilestep::guest
