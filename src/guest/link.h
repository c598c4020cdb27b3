// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "guest/server.h"

namespace tilestep::guest {

/// The program's end of the socket to Tilestep. Any thread may use it.
class Link {
 public:
  explicit Link(int socket);

  /// Says that the program is there.
  Welcome hello();
  /// Asks and waits for the answer. What kernels printed since goes to standard output first.
  int ask(Call call, const void* where, std::span<const iovec> request, Answer* answer);
  /// Says something that has no answer. It is kept until flush() or until much is kept: a socket's
  /// time is not to lie between an event and the kernel after it.
  void say(Call call, const void* where, std::span<const iovec> pieces);
  void flush();

 private:
  [[nodiscard]] uint64_t placeOf(const void* where) const;
  [[nodiscard]] RequestHead headOf(Call call, const void* where) const;
  void flushNow();
  void print(uint64_t bytes);
  void take(uint64_t bytes, Answer* answer);

  std::mutex mutex_;
  int socket_;
  uint64_t loadAddress_ = 0;
  std::vector<char> kept_;
};

}  // namespace tilestep::guest
