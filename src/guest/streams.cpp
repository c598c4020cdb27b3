// SPDX-License-Identifier: Apache-2.0
#include "guest/connection.h"
#include "guest/errors.h"

using namespace tilestep::guest;

namespace {

uint64_t numberOf(cudaStream_t stream) {
  return reinterpret_cast<uint64_t>(stream);
}
uint64_t numberOf(cudaEvent_t event) {
  return reinterpret_cast<uint64_t>(event);
}

/// Requests a new handle.
template <class T>
cudaError_t create(Call call, T* out, unsigned int flags, const void* where) {
  if (stickyError() != cudaSuccess) return keep(stickyError());
  if (out == nullptr) return keep(cudaErrorInvalidValue);
  uint64_t number = 0;
  const int error = ask(call, where, Handles{0, 0, flags, 0}, number);
  if (error == 0) *out = reinterpret_cast<T>(number);
  return keep(error);
}

cudaError_t handle(Call call, uint64_t first, uint64_t second, bool isEvent, const void* where) {
  if (stickyError() != cudaSuccess) return keep(stickyError());
  return keep(ask(call, where, Handles{first, second, 0, isEvent}));
}

}  // namespace

#define CALLED_FROM __builtin_return_address(0)

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return create(Call::stream, stream, 0, CALLED_FROM);
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return create(Call::stream, stream, flags, CALLED_FROM);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int) {
  return create(Call::stream, stream, flags, CALLED_FROM);
}
cudaError_t cudaStreamGetPriority(cudaStream_t, int* priority) {
  *priority = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  *least = *greatest = 0;
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return handle(Call::endStream, numberOf(stream), 0, false, CALLED_FROM);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
  return handle(Call::await, numberOf(stream), numberOf(event), false, CALLED_FROM);
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return handle(Call::wait, numberOf(stream), 0, false, CALLED_FROM);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return handle(Call::query, numberOf(stream), 0, false, CALLED_FROM);
}
// The host function runs at once, after all earlier work in the stream.
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned int) {
  const cudaError_t error = handle(Call::wait, numberOf(stream), 0, false, CALLED_FROM);
  callback(stream, error, data);
  return error;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  const cudaError_t error = handle(Call::wait, numberOf(stream), 0, false, CALLED_FROM);
  if (error == cudaSuccess) function(data);
  return error;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return create(Call::event, event, 0, CALLED_FROM);
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return create(Call::event, event, flags, CALLED_FROM);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return handle(Call::record, numberOf(event), numberOf(stream), true, CALLED_FROM);
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int) {
  return handle(Call::record, numberOf(event), numberOf(stream), true, CALLED_FROM);
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return handle(Call::query, numberOf(event), 0, true, CALLED_FROM);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return handle(Call::wait, numberOf(event), 0, true, CALLED_FROM);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return handle(Call::endEvent, numberOf(event), 0, true, CALLED_FROM);
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  if (stickyError() != cudaSuccess) return keep(stickyError());
  if (milliseconds == nullptr) return keep(cudaErrorInvalidValue);
  return keep(ask(Call::elapsed, CALLED_FROM, Handles{numberOf(start), numberOf(end), 0, true},
                  *milliseconds));
}

}  // extern "C"
