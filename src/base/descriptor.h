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

/// The two ends of a pipe. Child processes do not inherit them, and their numbers are above those
/// of the standard streams.
struct Pipe {
  Descriptor read, write;
};
Result<Pipe> makePipe();

/// Writes all bytes to a blocking descriptor. On failure, returns false and sets errno.
[[nodiscard]] bool writeAll(int descriptor, std::string_view bytes);

/// Makes the descriptor non-blocking: reads and writes that would have to wait fail with EAGAIN.
void doNotBlock(const Descriptor& descriptor);

}  // namespace tilestep
