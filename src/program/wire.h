// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "guest/protocol.h"

namespace tilestep::program {

/// The most bytes of a request's contents.
constexpr uint64_t kMostRequestBytes = uint64_t{16} << 30;

/// A received request. Only the length of its contents has been checked.
struct Request {
  guest::RequestHead head{};
  std::vector<uint8_t> bytes;
  uint64_t unread = 0;  ///< The bytes of a copy's data that Wire::take can still receive.

  /// The call's structure; nothing if it is truncated.
  template <class T>
  [[nodiscard]] std::optional<T> as() const {
    if (bytes.size() < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  /// The data after the structure.
  template <class T>
  [[nodiscard]] std::span<const uint8_t> behind() const {
    return std::span(bytes).subspan(sizeof(T));
  }
};

/// The service's end of the socket.
class Wire {
 public:
  explicit Wire(Descriptor socket) : socket_(std::move(socket)) {}
  /// Waits for the next request. Nothing if the guest has disconnected or sent invalid data. A
  /// copy's data stays on the socket, so that `take` can receive it directly at its destination.
  /// Unread data of the previous request is dropped.
  [[nodiscard]] std::optional<Request> next();
  /// Fills `places` with the next bytes of the request's data. False if the guest has disconnected,
  /// or has not sent that many bytes.
  [[nodiscard]] bool take(std::span<const iovec> places);
  /// Sends `descriptor` with the answer unless it is -1. False if the guest has disconnected.
  bool answer(int error, std::string_view printed, std::span<const iovec> data,
              int descriptor = -1);

 private:
  bool drop();

  Descriptor socket_;
  uint64_t unread_ = 0;
};

}  // namespace tilestep::program
