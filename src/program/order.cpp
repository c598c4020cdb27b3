// SPDX-License-Identifier: Apache-2.0
#include "program/order.h"

#include <algorithm>

namespace tilestep::program {
namespace {

void include(Progress& to, const Progress& from) {
  for (const auto& [stream, number] : from) to[stream] = std::max(to[stream], number);
}

bool includes(const Progress& progress, const Ticket& ticket) {
  const auto found = progress.find(ticket.stream);
  return found != progress.end() && found->second >= ticket.number;
}

}  // namespace

bool isBefore(const Ticket& first, const Ticket& second) {
  return includes(second.before, first);
}

Order::Order() {
  addStream(0, true);
}

void Order::addStream(uint64_t stream, bool blocking) {
  streams_[stream].blocking = blocking;
}

Ticket Order::issue(uint64_t stream) {
  Stream& own = streams_[stream];
  include(own.known, host_);
  if (stream == 0) {
    for (const auto& [number, other] : streams_)
      if (other.blocking) include(own.known, other.known);
  } else if (own.blocking) {
    include(own.known, streams_[0].known);
  }
  Ticket ticket{stream, ++own.last, own.known};
  own.known[stream] = own.last;
  return ticket;
}

Ticket Order::host() {
  constexpr uint64_t kHost = ~uint64_t{0};
  Ticket ticket{kHost, host_[kHost] + 1, host_};
  host_[kHost] = ticket.number;
  return ticket;
}

void Order::waitForStream(uint64_t stream) {
  const auto found = streams_.find(stream);
  if (found != streams_.end()) include(host_, found->second.known);
}

void Order::waitFor(const Ticket& ticket) {
  include(host_, ticket.before);
  host_[ticket.stream] = std::max(host_[ticket.stream], ticket.number);
}

void Order::waitForDevice() {
  for (const auto& [number, stream] : streams_) include(host_, stream.known);
}

void Order::waitForEvent(uint64_t event) {
  include(host_, events_[event]);
}

void Order::record(uint64_t event, uint64_t stream) {
  Progress& known = events_[event];
  known = streams_[stream].known;
  include(known, host_);
  // An event in the default stream also waits for the streams that block with the default stream.
  if (stream != 0) return;
  for (const auto& [number, other] : streams_)
    if (other.blocking) include(known, other.known);
}

void Order::streamWaits(uint64_t stream, uint64_t event) {
  include(streams_[stream].known, events_[event]);
}

bool Order::isReached(uint64_t event) const {
  const auto found = events_.find(event);
  if (found == events_.end()) return true;
  return std::ranges::all_of(found->second, [&](const auto& reached) {
    return includes(host_, {reached.first, reached.second, {}});
  });
}

bool Order::isOver(const Ticket& ticket) const {
  return includes(host_, ticket);
}

}  // namespace tilestep::program
