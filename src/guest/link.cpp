// SPDX-License-Identifier: Apache-2.0
#include "guest/link.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "guest/clocks.h"
#include "guest/connection.h"
#include "guest/pieces.h"

namespace tilestep::guest {
namespace {

uint64_t loadAddressOfTheProgram() {
  uint64_t address = 0;
  // The program itself is the first entry.
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* to) {
        *static_cast<uint64_t*>(to) = info->dlpi_addr;
        return 1;
      },
      &address);
  return address;
}

/// Accesses an invalid address that the program passed, so that the program ends as if it had
/// accessed the address itself.
[[noreturn]] void touch(const iovec& piece, bool writes) {
  constexpr size_t kPage = 4096;
  auto* const bytes = static_cast<volatile char*>(piece.iov_base);
  for (size_t i = 0; i < piece.iov_len; i += std::min(kPage, piece.iov_len - i)) {
    const char value = bytes[i];
    if (writes) bytes[i] = value;
  }
  const char value = bytes[piece.iov_len - 1];
  if (writes) bytes[piece.iov_len - 1] = value;
  fail("the system cannot access the program's memory");
}

bool sendAll(int socket, std::span<const iovec> pieces) {
  Pieces left(pieces);
  for (bool alone = false; !left.areDone();) {
    const std::span<iovec> now = left.next(alone);
    msghdr message{};
    message.msg_iov = now.data();
    message.msg_iovlen = now.size();
    const ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    // One piece has an invalid address. Sends single pieces until that piece is the first one.
    alone = sent < 0 && errno == EFAULT;
    if (alone && now.size() == 1) touch(now.front(), false);
    if (sent < 0 && !alone) return false;
    left.advance(alone ? 0 : static_cast<size_t>(sent));
  }
  return true;
}

/// Fills `places`, and keeps a descriptor that arrives with the data.
bool receiveAll(int socket, std::span<const iovec> places, int* descriptor = nullptr) {
  Pieces left(places);
  for (bool alone = false; !left.areDone();) {
    const std::span<iovec> now = left.next(alone);
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    msghdr message{};
    message.msg_iov = now.data();
    message.msg_iovlen = now.size();
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    const ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (got < 0 && errno == EINTR) continue;
    alone = got < 0 && errno == EFAULT;
    if (alone && now.size() == 1) touch(now.front(), true);
    if (got <= 0 && !alone) return false;
    if (alone) continue;
    const cmsghdr* head = CMSG_FIRSTHDR(&message);
    if (head != nullptr && head->cmsg_type == SCM_RIGHTS && descriptor != nullptr)
      std::memcpy(descriptor, CMSG_DATA(head), sizeof(int));
    left.advance(static_cast<size_t>(got));
  }
  return true;
}

bool receiveAll(int socket, void* to, size_t bytes, int* descriptor = nullptr) {
  const iovec place{to, bytes};
  return receiveAll(socket, {&place, 1}, descriptor);
}

/// The service itself reports why it ended.
[[noreturn]] void endWithTheService() {
  _exit(125);
}

void append(std::vector<char>& to, const void* from, size_t bytes) {
  const auto* first = static_cast<const char*>(from);
  to.insert(to.end(), first, first + bytes);
}

}  // namespace

Link::Link(int socket) : socket_(socket), loadAddress_(loadAddressOfTheProgram()) {
  fcntl(socket_, F_SETFD, FD_CLOEXEC);
}

Welcome Link::hello() {
  const Hello hello{kProtocol};
  Welcome welcome{};
  const iovec piece{const_cast<Hello*>(&hello), sizeof hello};
  const iovec place{&welcome, sizeof welcome};
  Answer answer{{&place, 1}};
  if (ask(Call::hello, nullptr, {&piece, 1}, &answer) != 0 || answer.bytes != sizeof welcome)
    fail("the connection to Tilestep was lost before the program began; run it again");
  return welcome;
}

RequestHead Link::headOf(Call call, const void* where) const {
  const ClockReadings clocks = takeClockReadings();
  return {call, 0, placeOf(where), placeOf(clocks.first), placeOf(clocks.last)};
}

int Link::ask(Call call, const void* where, std::span<const iovec> request, Answer* answer) {
  const std::lock_guard lock(mutex_);
  flushNow();
  RequestHead head = headOf(call, where);
  std::vector<iovec> pieces{{&head, sizeof head}};
  for (const iovec& each : request) head.bytes += each.iov_len;
  pieces.insert(pieces.end(), request.begin(), request.end());
  AnswerHead back{};
  int descriptor = -1;
  if (!sendAll(socket_, pieces) || !receiveAll(socket_, &back, sizeof back, &descriptor))
    endWithTheService();
  print(back.printed);
  take(back.bytes, answer);
  if (answer != nullptr)
    answer->descriptor = descriptor;
  else if (descriptor >= 0)
    close(descriptor);
  return back.error;
}

uint64_t Link::placeOf(const void* where) const {
  return where == nullptr ? 0 : reinterpret_cast<uint64_t>(where) - loadAddress_;
}

void Link::say(Call call, const void* where, std::span<const iovec> pieces) {
  constexpr size_t kMuch = 16384;
  const std::lock_guard lock(mutex_);
  RequestHead head = headOf(call, where);
  for (const iovec& each : pieces) head.bytes += each.iov_len;
  append(kept_, &head, sizeof head);
  if (head.bytes >= kMuch) {
    flushNow();
    if (!sendAll(socket_, {pieces.begin(), pieces.end()})) endWithTheService();
    return;
  }
  for (const iovec& each : pieces) append(kept_, each.iov_base, each.iov_len);
  if (kept_.size() >= kMuch) flushNow();
}

void Link::flush() {
  const std::lock_guard lock(mutex_);
  flushNow();
}

void Link::flushNow() {
  if (kept_.empty()) return;
  const iovec all{kept_.data(), kept_.size()};
  if (!sendAll(socket_, {&all, 1})) endWithTheService();
  kept_.clear();
}

void Link::print(uint64_t bytes) {
  if (bytes == 0) return;
  std::vector<char> text(bytes);
  if (!receiveAll(socket_, text.data(), text.size())) endWithTheService();
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void Link::take(uint64_t bytes, Answer* answer) {
  if (answer == nullptr && bytes != 0) fail("an answer has data that was not requested");
  if (answer == nullptr) return;
  answer->bytes = bytes;
  std::vector<iovec> places;
  for (const iovec& place : answer->to) {
    const size_t now = std::min<uint64_t>(bytes, place.iov_len);
    places.push_back({place.iov_base, now});
    bytes -= now;
  }
  if (!receiveAll(socket_, places)) endWithTheService();
  if (bytes != 0) fail("an answer has more data than fits");
}

}  // namespace tilestep::guest
