// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <span>
#include <type_traits>

#include "guest/server.h"

/// Sends the runtime functions' requests to the program's server. Without a server (if the program
/// was started by hand), every call returns cudaErrorNoDevice.
namespace tilestep::guest {

/// Sends a request and returns a cudaError. `where` is the return address of the function that the
/// program called. Prints pending kernel output first.
int ask(Call call, const void* where, std::span<const iovec> request, Answer* answer = nullptr);

template <class T>
requires(!std::is_array_v<T>) int ask(Call call, const void* where, const T& request) {
  const iovec piece{const_cast<T*>(&request), sizeof(T)};
  return ask(call, where, {&piece, 1});
}

/// The same for an answer of one structure. If the answer is too short, `out` is unchanged.
template <class T, class A>
int ask(Call call, const void* where, const T& request, A& out) {
  const iovec piece{const_cast<T*>(&request), sizeof(T)};
  const iovec place{&out, sizeof(A)};
  Answer answer{{&place, 1}};
  return ask(call, where, {&piece, 1}, &answer);
}

/// The device at the program's start.
const DeviceFacts& device();
/// Whether the program has a device.
bool isServed();
/// Ends the program after an error of the protocol.
[[noreturn]] void fail(const char* what);

}  // namespace tilestep::guest
