// SPDX-License-Identifier: Apache-2.0
#include "program/wire.h"

#include <errno.h>
#include <sys/socket.h>

#include <algorithm>

namespace tilestep::program {
namespace {

bool receiveAll(int socket, void* to, uint64_t bytes) {
  auto* at = static_cast<uint8_t*>(to);
  while (bytes > 0) {
    const ssize_t got = recv(socket, at, bytes, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<uint64_t>(got);
  }
  return true;
}

bool sendAll(int socket, const void* from, uint64_t bytes, int descriptor) {
  const auto* at = static_cast<const uint8_t*>(from);
  while (bytes > 0) {
    iovec piece{const_cast<uint8_t*>(at), bytes};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    if (descriptor >= 0) {
      message.msg_control = control;
      message.msg_controllen = sizeof control;
      cmsghdr* const head = CMSG_FIRSTHDR(&message);
      head->cmsg_level = SOL_SOCKET;
      head->cmsg_type = SCM_RIGHTS;
      head->cmsg_len = CMSG_LEN(sizeof(int));
      std::memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
    }
    const ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    descriptor = -1;
    at += sent;
    bytes -= static_cast<uint64_t>(sent);
  }
  return true;
}

}  // namespace

std::optional<Request> Wire::next() {
  Request request;
  if (!receiveAll(socket_.get(), &request.head, sizeof request.head)) return std::nullopt;
  if (request.head.bytes > kMostRequestBytes) return std::nullopt;
  // Memory grows with what comes, and not with what is promised.
  constexpr uint64_t kStep = uint64_t{64} << 20;
  for (uint64_t got = 0; got < request.head.bytes;) {
    const uint64_t now = std::min(kStep, request.head.bytes - got);
    request.bytes.resize(got + now);
    if (!receiveAll(socket_.get(), request.bytes.data() + got, now)) return std::nullopt;
    got += now;
  }
  return request;
}

bool Wire::answer(int error, std::string_view printed, std::span<const uint8_t> data,
                  int descriptor) {
  const guest::AnswerHead head{error, static_cast<uint32_t>(printed.size()), data.size()};
  return sendAll(socket_.get(), &head, sizeof head, descriptor) &&
         sendAll(socket_.get(), printed.data(), printed.size(), -1) &&
         sendAll(socket_.get(), data.data(), data.size(), -1);
}

}  // namespace tilestep::program
