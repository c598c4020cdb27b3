// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <span>

#include "guest/protocol.h"

namespace tilestep::guest {

/// Where the answer's data goes. More than there is room for is an error of the protocol.
struct Answer {
  std::span<const iovec> to;
  uint64_t bytes = 0;   ///< How many came.
  int descriptor = -1;  ///< The one that came along; the caller's.
};

/// Who does what the program asks of its device: Tilestep's interpreter, over the socket
/// (interpreter_server.h), or the GPU's driver in the program itself (driver/driver_server.h). The
/// functions of the runtime know no other difference. Any thread may ask.
class Server {
 public:
  Server() = default;
  virtual ~Server() = default;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] virtual const DeviceFacts& device() const = 0;
  /// Does what protocol.h says of the call, whose first piece is the call's own structure. Returns
  /// a cudaError. `where` is the return address of the function that the program called.
  virtual int ask(Call call, const void* where, std::span<const iovec> request, Answer* answer) = 0;
};

}  // namespace tilestep::guest
