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

/// No call carries more.
constexpr uint64_t kMostRequestBytes = uint64_t{16} << 30;

/// A request as it came. What it holds was checked for nothing but its length.
struct Request {
  guest::RequestHead head{};
  std::vector<uint8_t> bytes;
  uint64_t unread = 0;  ///< Of a copy: how many bytes of its data Wire::take can still take.

  /// The call's structure; nothing where it is cut short.
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
  /// Waits for the next request; nothing where the guest has gone or sent what is no request. The
  /// data of a copy stays on the socket, so that `take` can bring it where it belongs; what was not
  /// taken of the request before is dropped.
  [[nodiscard]] std::optional<Request> next();
  /// Fills the places with the next bytes of the request's data; false where the guest has gone, or
  /// has not sent so many.
  [[nodiscard]] bool take(std::span<const iovec> places);
  /// `descriptor`: goes along; -1: none does. False where the guest has gone.
  bool answer(int error, std::string_view printed, std::span<const iovec> data,
              int descriptor = -1);

 private:
  bool drop();

  Descriptor socket_;
  uint64_t unread_ = 0;
};

}  // namespace tilestep::program
