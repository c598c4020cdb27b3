// SPDX-License-Identifier: Apache-2.0
#include "program/service.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>
#include <utility>

#include "program/answers.h"
#include "program/errors.h"
#include "simt/machine.h"

namespace tilestep::program {
using guest::Call;
using guest::MemoryKind;

Service::Service(Descriptor socket, const ServiceRules& rules, const std::filesystem::path& program,
                 std::function<bool()> cancelled)
    : wire_(std::move(socket)),
      rules_(rules),
      cancelled_(std::move(cancelled)),
      places_(program),
      memory_(rules.memoryBytes),
      operations_(rules.launches.operation) {
  streams_[0] = streams_[1] = streams_[2] = {};
}

Service::~Service() = default;

ProgramRun Service::serve() {
  while (const std::optional<Request> request = wire_.next()) {
    noteClocks(request->head);
    if (hear(*request)) continue;
    Answer answer = answerTo(*request);
    if (!answer.data.empty()) answer.rows = {{answer.data.data(), answer.data.size()}};
    if (!wire_.answer(answer.error, takePrinted(), answer.rows, answer.descriptor.get())) break;
  }
  waitForAll();
  std::ranges::move(ofOperations_, std::back_inserter(served_.findings));
  keepHistory();
  served_.device = rules_.device.name;
  return std::move(served_);
}

Service::Answer Service::answerTo(const Request& request) {
  try {
    return handle(request);
  } catch (const std::bad_alloc&) {
    return {kOutOfMemory, {}, {}};
  }
}

Service::Answer Service::handle(const Request& request) {
  switch (request.head.call) {
    case Call::hello:
      return hello(request);
    case Call::module:
      return addModule(request);
    case Call::function:
      return addFunction(request);
    case Call::variable:
      return addVariable(request);
    case Call::allocate:
      return allocate(request);
    case Call::release:
      return release(request);
    case Call::copy:
      return copy(request);
    case Call::fill:
      return fill(request);
    case Call::launch:
      return launch(request);
    case Call::wait:
      return wait(request, false);
    case Call::query:
      return wait(request, true);
    case Call::stream:
    case Call::event:
    case Call::endStream:
    case Call::endEvent:
    case Call::record:
    case Call::await:
      return handles(request);
    case Call::elapsed:
      return elapsed(request);
    case Call::attribute:
      return attribute(request);
    case Call::occupancy:
      return occupancy(request);
    case Call::memory:
      return memoryInfo();
    case Call::pointer:
      return pointer(request);
    case Call::setLimit:
    case Call::limit:
      return limit(request);
    case Call::note:
      return note(request);
    case Call::touched:
      return touched(request);
    case Call::overflowed:
      return overflowed(request);
    case Call::refused:
      return refused(request);
    case Call::gpu:
    case Call::told:
    case Call::took:
    case Call::contents:
    case Call::forget:
      break;
  }
  return {kInvalidValue, {}, {}};
}

CallRecord& Service::record(const Request& request, std::string name, int error) {
  CallRecord call;
  call.name = std::move(name);
  call.moment = ++moment_;
  call.result = error;
  call.place = places_.of(request.head.where);
  return served_.calls.emplace_back(std::move(call));
}

void Service::noteClocks(const guest::RequestHead& head) {
  std::vector<uint64_t> readings{head.firstClock, head.lastClock};
  if (head.firstClock == head.lastClock) readings.pop_back();
  for (const uint64_t where : readings) {
    if (where == 0) continue;
    ClockReading& reading = served_.clocks.emplace_back();
    reading.place = places_.of(where);
    reading.moment = ++moment_;
    if (latestLaunch_ && !order_.isOver(latestLaunch_->ticket))
      reading.open = latestLaunch_->number;
  }
}

void Service::find(std::string kind, Severity severity, uint64_t where, std::string message) {
  served_.findings.push_back({std::move(kind), severity, places_.of(where), std::move(message)});
}

int Service::deviceError() {
  const std::lock_guard lock(mutex_);
  return error_;
}

std::string Service::takePrinted() {
  const std::lock_guard lock(mutex_);
  return std::exchange(printed_, {});
}

Service::Stream* Service::streamOf(uint64_t number) {
  const auto found = streams_.find(number);
  return found == streams_.end() ? nullptr : &found->second;
}

void Service::enqueue(uint64_t stream, std::function<void()> work) {
  if (isOnlyTold()) return;
  Stream* const known = streamOf(stream);
  const uint64_t number = queue_.add(std::move(work));
  if (known != nullptr) known->last = number;
}

void Service::waitFor(uint64_t number) {
  hostWaits_ = true;
  queue_.wait(number);
  hostWaits_ = false;
}

void Service::waitForAll() {
  hostWaits_ = true;
  queue_.waitForAll();
  hostWaits_ = false;
}

size_t Service::issue(const Request& request, uint64_t stream, Work work) {
  // The legacy default stream also has the number 1.
  work.ticket = order_.issue(stream == 1 ? 0 : stream);
  work.where = request.head.where;
  work.place = places_.of(work.where);
  work.moment = ++moment_;
  const std::lock_guard lock(mutex_);
  return log_.add(std::move(work), order_);
}

void Service::keepHistory() {
  const std::lock_guard lock(mutex_);
  if (latestLaunch_ && !order_.isOver(latestLaunch_->ticket))
    served_.openLaunch = latestLaunch_->number;
  served_.works = log_.take();
  for (const auto& [address, allocation] : memory_.all()) {
    served_.memory.push_back({address, allocation.bytes, allocation.name,
                              places_.of(allocation.where), allocation.moment,
                              !allocation.symbol.empty(), allocation.kind != MemoryKind::device,
                              allocation.freed.has_value()});
  }
}

Service::Answer Service::hello(const Request& request) {
  const auto hello = request.as<guest::Hello>();
  if (!hello || hello->protocol != guest::kProtocol) return {kInvalidValue, {}, {}};
  guest::DeviceFacts device = rules_.device;
  device.watchesHost = rules_.launches.check ? 1 : 0;
  return {0, bytesOf(guest::Welcome{rules_.gpu, rules_.timed, rules_.looked, device}), {}};
}

}  // namespace tilestep::program
