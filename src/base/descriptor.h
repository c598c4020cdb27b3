// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <string_view>
#include <utility>

#include "base/result.h"

namespace tilestep {

/// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      close();
      number_ = std::exchange(other.number_, -1);
    }
    return *this;
  }
  ~Descriptor() { close(); }

  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] bool isOpen() const { return number_ >= 0; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_ = -1;
};

/// The two ends of a pipe. Programs that are started do not inherit them, and neither end has the
/// number of a standard stream.
struct Pipe {
  Descriptor read, write;
};
Result<Pipe> makePipe();

/// Writes all bytes to a blocking descriptor; false, with errno, on failure.
[[nodiscard]] bool writeAll(int descriptor, std::string_view bytes);

/// Reads and writes then return at once, with EAGAIN if there is nothing to read or no room.
void doNotBlock(const Descriptor& descriptor);

}  // namespace tilestep
