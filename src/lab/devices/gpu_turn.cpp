// SPDX-License-Identifier: Apache-2.0
#include "lab/devices/gpu_turn.h"

#include <algorithm>
#include <thread>

#include "base/process/process_facts.h"

namespace tilestep::lab {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// How long to wait before the next look: as the next one in the queue, and as any other.
constexpr milliseconds kNextPause{4}, kOtherPause{20};

int64_t nowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

int secondsSince(Clock::time_point start) {
  return static_cast<int>(
      std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start).count());
}

/// "alice's process 123"
std::string nameOf(const TicketId& holder) {
  return userName(holder.user) + "'s process " + std::to_string(holder.process);
}

/// "2nd"
std::string ordinal(size_t number) {
  const size_t last = number % 10, tens = number / 10 % 10;
  const char* ending = "th";
  if (tens != 1 && last == 1) ending = "st";
  if (tens != 1 && last == 2) ending = "nd";
  if (tens != 1 && last == 3) ending = "rd";
  return std::to_string(number) + ending;
}

std::string placeText(const QueuePlace& place) {
  if (place.place > 0)
    return ordinal(place.place) + " of " + std::to_string(place.waiting) + " in the queue";
  return "outside the queue, in which you have " + std::to_string(kMostPlaces) +
         " other requests already";
}

Error lostPatience(int seconds, const QueuePlace& place) {
  return workError(
      "The GPU was not free for " + std::to_string(seconds) + " s (" + placeText(place) +
      (place.holder ? "; " + nameOf(*place.holder) + " uses it" : "") + "). Try again later.");
}

std::string passedOverText(const TicketId& holder) {
  return nameOf(holder) +
         " has kept the GPU from others for too long, or out of turn, and is waited for no longer, "
         "so the times of both may be wrong";
}

std::string withoutText(const Error& error) {
  return error.message +
         "; nothing keeps other programs from the GPU meanwhile, so times may be "
         "wrong";
}

}  // namespace

GpuTurn& GpuTurn::operator=(GpuTurn&& other) noexcept {
  if (this == &other) return *this;
  end();
  tickets_ = std::exchange(other.tickets_, std::nullopt);
  id_ = other.id_;
  note_ = std::move(other.note_);
  return *this;
}

void GpuTurn::end() {
  if (tickets_) tickets_->leave(id_, true);
  tickets_.reset();
}

Result<GpuTurn> GpuTurn::take(const std::string& folder, const std::string& gpu,
                              const device::Cancelled& cancelled, const Waiting& waiting,
                              std::chrono::seconds patience) {
  GpuTickets tickets(folder, gpu);
  const Result<TicketId> id = tickets.newId();
  if (!id) return GpuTurn(withoutText(id.error()));
  /// Whatever happens, no file stays.
  struct Leave {
    GpuTickets& tickets;
    const TicketId& id;
    bool isDone = false;
    ~Leave() {
      if (!isDone) tickets.leave(id, false);
    }
  } leave{tickets, *id};
  QueueWaiter waiter(*id);
  const auto start = Clock::now();
  int told = -1;
  QueuePlace toldPlace;
  const auto isCancelled = [&] { return cancelled && cancelled(); };
  const auto isOver = [&] { return Clock::now() - start >= patience; };
  while (true) {
    bool isStopped = false;
    Result<QueueState> state =
        tickets.look([&] { return isStopped = isStopped || isCancelled() || isOver(); });
    if (isStopped && isCancelled()) return workError("Cancelled.");
    if (isStopped) return lostPatience(secondsSince(start), toldPlace);
    if (!state) return GpuTurn(withoutText(state.error()));
    const QueueWaiter::Decision decision = waiter.next(std::move(*state), nowNs());
    const QueuePlace& place = decision.place;
    using Step = QueueWaiter::Step;
    if (decision.step == Step::go) {
      GpuTurn turn(place.isPassedOver ? passedOverText(*place.holder) : "");
      turn.id_ = *id;
      turn.tickets_.emplace(std::move(tickets));
      leave.isDone = true;
      return turn;
    }
    if (decision.step == Step::enter || decision.step == Step::claim) {
      const Status made = decision.step == Step::enter ? tickets.enter(*id) : tickets.claim(*id);
      if (!made) return GpuTurn(withoutText(made.error()));
      continue;
    }
    if (decision.step == Step::withdraw) tickets.withdraw(*id);
    if (isCancelled()) return workError("Cancelled.");
    const int seconds = secondsSince(start);
    if (isOver()) return lostPatience(seconds, place);
    if (seconds != told || place != toldPlace) waiting(told = seconds, toldPlace = place);
    std::this_thread::sleep_for(place.place == 1 ? kNextPause : kOtherPause);
  }
}

std::string waitingText(const std::string& gpuName, int seconds, const QueuePlace& place) {
  std::string text = std::string(kWaitsFor) + "the " + gpuName + ", " + std::to_string(seconds) +
                     " s: " + placeText(place);
  if (place.holder) text += "; " + nameOf(*place.holder) + " uses it";
  return text;
}

}  // namespace tilestep::lab
