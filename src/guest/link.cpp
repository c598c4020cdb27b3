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

namespace tilestep::guest {
namespace {

uint64_t loadAddressOfTheProgram() {
  uint64_t address = 0;
  // The program itself comes first.
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* to) {
        *static_cast<uint64_t*>(to) = info->dlpi_addr;
        return 1;
      },
      &address);
  return address;
}

/// The program gave an address where nothing is: it ends as if it had written there.
void touch(void* address) {
  *static_cast<volatile char*>(address) = 0;
}

/// Sends all pieces, however many calls that takes.
bool sendAll(int socket, std::vector<iovec> pieces) {
  size_t first = 0;
  while (first < pieces.size()) {
    msghdr message{};
    message.msg_iov = pieces.data() + first;
    message.msg_iovlen = std::min<size_t>(pieces.size() - first, 512);
    ssize_t sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EFAULT) touch(pieces[first].iov_base);
    if (sent < 0) return false;
    while (first < pieces.size() && static_cast<size_t>(sent) >= pieces[first].iov_len) {
      sent -= static_cast<ssize_t>(pieces[first].iov_len);
      ++first;
    }
    if (first < pieces.size()) {
      pieces[first].iov_base = static_cast<char*>(pieces[first].iov_base) + sent;
      pieces[first].iov_len -= static_cast<size_t>(sent);
    }
  }
  return true;
}

/// Fills `to`; keeps a descriptor that comes along.
bool receiveAll(int socket, void* to, size_t bytes, int* descriptor) {
  auto* at = static_cast<char*>(to);
  while (bytes > 0) {
    iovec piece{at, bytes};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))];
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    const ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EFAULT) touch(at);
    if (got <= 0) return false;
    const cmsghdr* head = CMSG_FIRSTHDR(&message);
    if (head != nullptr && head->cmsg_type == SCM_RIGHTS && descriptor != nullptr)
      std::memcpy(descriptor, CMSG_DATA(head), sizeof(int));
    at += got;
    bytes -= static_cast<size_t>(got);
  }
  return true;
}

/// The service says by itself why it ended.
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
    fail("Tilestep did not answer the program's first word");
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
  for (const iovec& each : request) {
    head.bytes += each.iov_len;
    if (each.iov_len > 0) pieces.push_back(each);
  }
  AnswerHead back{};
  int descriptor = -1;
  if (!sendAll(socket_, std::move(pieces)) || !receiveAll(socket_, &back, sizeof back, &descriptor))
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
  if (!sendAll(socket_, {{kept_.data(), kept_.size()}})) endWithTheService();
  kept_.clear();
}

void Link::print(uint64_t bytes) {
  if (bytes == 0) return;
  std::vector<char> text(bytes);
  if (!receiveAll(socket_, text.data(), text.size(), nullptr)) endWithTheService();
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void Link::take(uint64_t bytes, Answer* answer) {
  if (answer == nullptr && bytes != 0) fail("an answer has data that nobody asked for");
  if (answer == nullptr) return;
  answer->bytes = bytes;
  for (const iovec& place : answer->to) {
    const size_t now = std::min<uint64_t>(bytes, place.iov_len);
    if (!receiveAll(socket_, place.iov_base, now, nullptr)) endWithTheService();
    bytes -= now;
  }
  if (bytes != 0) fail("an answer has more data than fits");
}

}  // namespace tilestep::guest
