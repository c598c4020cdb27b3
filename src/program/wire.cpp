// SPDX-License-Identifier: Apache-2.0
#include "program/wire.h"

#include <errno.h>
#include <sys/socket.h>

#include <algorithm>
#include <vector>

#include "guest/pieces.h"

namespace tilestep::program {
namespace {

bool receiveAll(int socket, std::span<const iovec> places) {
  guest::Pieces left(places);
  while (!left.areDone()) {
    const std::span<iovec> now = left.next();
    const ssize_t got = readv(socket, now.data(), static_cast<int>(now.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    left.advance(static_cast<size_t>(got));
  }
  return true;
}

bool receiveAll(int socket, void* to, uint64_t bytes) {
  const iovec place{to, bytes};
  return receiveAll(socket, {&place, 1});
}

bool sendAll(int socket, std::span<const iovec> pieces, int descriptor) {
  guest::Pieces left(pieces);
  while (!left.areDone()) {
    const std::span<iovec> now = left.next();
    msghdr message{};
    message.msg_iov = now.data();
    message.msg_iovlen = now.size();
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
    left.advance(static_cast<size_t>(sent));
  }
  return true;
}

}  // namespace

bool Wire::take(std::span<const iovec> places) {
  uint64_t bytes = 0;
  for (const iovec& place : places) bytes += place.iov_len;
  if (bytes > unread_ || !receiveAll(socket_.get(), places)) return false;
  unread_ -= bytes;
  return true;
}

bool Wire::drop() {
  std::vector<uint8_t> nowhere(std::min<uint64_t>(unread_, 1 << 16));
  while (unread_ > 0) {
    const iovec piece{nowhere.data(), std::min<uint64_t>(unread_, nowhere.size())};
    if (!take({&piece, 1})) return false;
  }
  return true;
}

std::optional<Request> Wire::next() {
  Request request;
  if (!drop()) return std::nullopt;
  if (!receiveAll(socket_.get(), &request.head, sizeof request.head)) return std::nullopt;
  if (request.head.bytes > kMostRequestBytes) return std::nullopt;
  const bool hasData = request.head.call == guest::Call::copy;
  const uint64_t wanted =
      hasData ? std::min<uint64_t>(request.head.bytes, sizeof(guest::Copy)) : request.head.bytes;
  // The buffer grows with the data received, so a false length cannot exhaust memory.
  constexpr uint64_t kStep = uint64_t{64} << 20;
  for (uint64_t got = 0; got < wanted;) {
    const uint64_t now = std::min(kStep, wanted - got);
    request.bytes.resize(got + now);
    if (!receiveAll(socket_.get(), request.bytes.data() + got, now)) return std::nullopt;
    got += now;
  }
  request.unread = unread_ = request.head.bytes - wanted;
  return request;
}

bool Wire::answer(int error, std::string_view printed, std::span<const iovec> data,
                  int descriptor) {
  guest::AnswerHead head{error, static_cast<uint32_t>(printed.size()), 0};
  std::vector<iovec> pieces{{&head, sizeof head},
                            {const_cast<char*>(printed.data()), printed.size()}};
  for (const iovec& piece : data) head.bytes += piece.iov_len;
  pieces.insert(pieces.end(), data.begin(), data.end());
  return sendAll(socket_.get(), pieces, descriptor);
}

}  // namespace tilestep::program
