// SPDX-License-Identifier: Apache-2.0
#include "guest/errors.h"

#include <atomic>

#include "guest/connection.h"

namespace tilestep::guest {
namespace {

std::atomic<int> sticky{cudaSuccess};
thread_local int last = cudaSuccess;

bool isSticky(int error) {
  switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
      return true;
    default:
      return false;
  }
}

}  // namespace

cudaError_t keep(int error) {
  if (isSticky(error)) {
    int none = cudaSuccess;
    sticky.compare_exchange_strong(none, error);
  }
  // "Not ready" is an answer, not a failure to be kept.
  if (error != cudaSuccess && error != cudaErrorNotReady) last = error;
  return static_cast<cudaError_t>(error);
}

cudaError_t stickyError() {
  return static_cast<cudaError_t>(sticky.load());
}

}  // namespace tilestep::guest

using namespace tilestep::guest;

namespace {

/// Reports that the program asked for the meaning of an error.
void noteNamed(cudaError_t error, const void* where) {
  if (error != cudaSuccess) ask(Call::note, where, Noted{Note::namedError, error});
}

}  // namespace

extern "C" {

cudaError_t cudaGetLastError() {
  const int error = stickyError() != cudaSuccess ? stickyError() : last;
  last = cudaSuccess;
  ask(Call::note, __builtin_return_address(0), Noted{Note::askedForError, error});
  return static_cast<cudaError_t>(error);
}

cudaError_t cudaPeekAtLastError() {
  const int error = stickyError() != cudaSuccess ? stickyError() : last;
  ask(Call::note, __builtin_return_address(0), Noted{Note::askedForError, error});
  return static_cast<cudaError_t>(error);
}

const char* cudaGetErrorName(cudaError_t error) {
  noteNamed(error, __builtin_return_address(0));
  switch (static_cast<int>(error)) {
#define CUDA_ERROR(number, name, text) \
  case name:                           \
    return #name;
#include "errors.def"
#undef CUDA_ERROR
  }
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  noteNamed(error, __builtin_return_address(0));
  switch (static_cast<int>(error)) {
#define CUDA_ERROR(number, name, text) \
  case name:                           \
    return text;
#include "errors.def"
#undef CUDA_ERROR
  }
  return "unrecognized error code";
}

}  // extern "C"
