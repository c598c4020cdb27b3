// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <span>
#include <type_traits>

#include "guest/protocol.h"

/// The guest's side of the socket: it asks, and the service answers. One request is under way at a
/// time; any thread may ask. Where no service is there (the program was started by hand) every call
/// answers cudaErrorNoDevice.
namespace tilestep::guest {

/// Where the answer's data goes. More than there is room for is an error of the protocol.
struct Answer {
  std::span<const iovec> to;
  uint64_t bytes = 0;   ///< How many came.
  int descriptor = -1;  ///< The one that came along; the caller's.
};

/// Asks and returns a cudaError. `where` is the return address of the function that the program
/// called. What kernels printed since goes to standard output first.
int ask(Call call, const void* where, std::span<const iovec> request, Answer* answer = nullptr);

template <class T>
requires(!std::is_array_v<T>) int ask(Call call, const void* where, const T& request) {
  const iovec piece{const_cast<T*>(&request), sizeof(T)};
  return ask(call, where, {&piece, 1});
}

/// The same, for an answer of one structure. It is left as it was where fewer bytes came.
template <class T, class A>
int ask(Call call, const void* where, const T& request, A& out) {
  const iovec piece{const_cast<T*>(&request), sizeof(T)};
  const iovec place{&out, sizeof(A)};
  Answer answer{{&place, 1}};
  return ask(call, where, {&piece, 1}, &answer);
}

/// What the service said of the device when the program began.
const DeviceFacts& device();
/// Whether there is a service.
bool isServed();
/// Ends the program: the service and it do not understand each other.
[[noreturn]] void fail(const char* what);

[[nodiscard]] inline bool isDeviceAddress(uint64_t address) {
  return address - kSpanStart < kSpanBytes;
}
[[nodiscard]] inline bool isDeviceAddress(const void* pointer) {
  return isDeviceAddress(reinterpret_cast<uint64_t>(pointer));
}

}  // namespace tilestep::guest
