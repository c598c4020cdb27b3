// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mutex>
#include <span>

#include "guest/server.h"

namespace tilestep::guest {

/// The program's end of the socket to Tilestep. Any thread may use it.
class Link {
 public:
  explicit Link(int socket);

  /// Says that the program is there, and returns what Tilestep says of its device.
  DeviceFacts hello();
  /// Asks and waits for the answer. What kernels printed since goes to standard output first.
  int ask(Call call, const void* where, std::span<const iovec> request, Answer* answer);

 private:
  [[nodiscard]] uint64_t placeOf(const void* where) const;
  void print(uint64_t bytes);
  void take(uint64_t bytes, Answer* answer);

  std::mutex mutex_;
  int socket_;
  uint64_t loadAddress_ = 0;
};

}  // namespace tilestep::guest
