// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <span>
#include <type_traits>

#include "guest/server.h"

/// What the functions of the runtime ask of whoever serves the program. Where nobody does (it was
/// started by hand) every call answers cudaErrorNoDevice.
namespace tilestep::guest {

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

/// The device, as it was when the program began.
const DeviceFacts& device();
/// Whether the program has a device.
bool isServed();
/// Ends the program: the service and it do not understand each other.
[[noreturn]] void fail(const char* what);

}  // namespace tilestep::guest
