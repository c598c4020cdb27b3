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

  /// Exchanges the first messages.
  Welcome hello();
  /// Sends a request and waits for the answer. Prints pending kernel output first.
  int ask(Call call, const void* where, std::span<const iovec> request, Answer* answer);
  /// Sends a message that has no answer. Buffers it until flush() or until the buffer is large, so
  /// that the socket does not delay a kernel after its event.
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
