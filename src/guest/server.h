// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <span>

#include "guest/protocol.h"

namespace tilestep::guest {

/// The destination of an answer's data. An answer with more data than fits violates the protocol.
struct Answer {
  std::span<const iovec> to;
  uint64_t bytes = 0;   ///< The bytes received.
  int descriptor = -1;  ///< The received descriptor, owned by the caller.
};

/// Executes the program's requests, in Tilestep's interpreter through the socket
/// (interpreter_server.h), or with the GPU's driver in the program itself (driver/driver_server.h).
/// The runtime's functions work with either server. Thread-safe.
class Server {
 public:
  Server() = default;
  virtual ~Server() = default;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] virtual const DeviceFacts& device() const = 0;
  /// Executes a call of protocol.h, whose first piece is the call's own structure. Returns
  /// a cudaError. `where` is the return address of the function that the program called.
  virtual int ask(Call call, const void* where, std::span<const iovec> request, Answer* answer) = 0;
};

}  // namespace tilestep::guest
