// SPDX-License-Identifier: Apache-2.0
// Streams and events, and the host's waits for them.
#include "program/answers.h"
#include "program/errors.h"
#include "program/service.h"

namespace tilestep::program {

using guest::Call;

Service::Answer Service::wait(const Request& request, bool onlyAsk) {
  const auto wanted = request.as<guest::Handles>();
  if (!wanted) return {kInvalidValue, {}, {}};
  uint64_t number = 0;
  if (wanted->isEvent != 0) {
    const auto found = events_.find(wanted->first);
    if (found == events_.end()) return {kInvalidResourceHandle, {}, {}};
    number = found->second.last;
  } else {
    const Stream* const stream = streamOf(wanted->first);
    if (stream == nullptr) return {kInvalidResourceHandle, {}, {}};
    number = stream->last;
  }
  if (onlyAsk && !queue_.isDone(number)) return {kNotReady, {}, {}};
  waitFor(number);
  if (wanted->isEvent != 0)
    order_.waitForEvent(wanted->first);
  else
    order_.waitForStream(wanted->first == 1 ? 0 : wanted->first);
  const int error = deviceError();
  record(request, wanted->isEvent != 0 ? "cudaEventSynchronize" : "cudaStreamSynchronize", error)
      .waits = true;
  return {error, {}, {}};
}

Service::Answer Service::handles(const Request& request) {
  const auto wanted = request.as<guest::Handles>();
  if (!wanted) return {kInvalidValue, {}, {}};
  constexpr size_t kMostHandles = 1 << 20;
  const auto event = events_.find(wanted->first);
  switch (request.head.call) {
    case Call::stream: {
      if (streams_.size() > kMostHandles) return {kOutOfMemory, {}, {}};
      const uint64_t made = told_ != nullptr ? told_->made : nextHandle_++;
      order_.addStream(made, (wanted->flags & 1) == 0);
      streams_[made] = {};
      return {0, bytesOf(made), {}};
    }
    case Call::event: {
      if (events_.size() > kMostHandles) return {kOutOfMemory, {}, {}};
      const uint64_t made = told_ != nullptr ? told_->made : nextHandle_++;
      events_[made] = {};
      return {0, bytesOf(made), {}};
    }
    case Call::endStream:
      if (wanted->first < 16 || streams_.erase(wanted->first) == 0)
        return {kInvalidResourceHandle, {}, {}};
      return {};
    case Call::endEvent:
      if (events_.erase(wanted->first) == 0) return {kInvalidResourceHandle, {}, {}};
      return {};
    case Call::record: {
      if (event == events_.end() || streamOf(wanted->second) == nullptr)
        return {kInvalidResourceHandle, {}, {}};
      auto reached = std::make_shared<std::chrono::steady_clock::time_point>();
      enqueue(wanted->second, [reached] { *reached = std::chrono::steady_clock::now(); });
      event->second = {true, streamOf(wanted->second)->last, reached,
                       places_.of(request.head.where), ++moment_};
      order_.record(wanted->first, wanted->second == 1 ? 0 : wanted->second);
      return {};
    }
    case Call::await: {
      const auto awaited = events_.find(wanted->second);
      if (streamOf(wanted->first) == nullptr || awaited == events_.end())
        return {kInvalidResourceHandle, {}, {}};
      // The queue keeps the order of the host's requests, so there is nothing to wait for.
      order_.streamWaits(wanted->first == 1 ? 0 : wanted->first, wanted->second);
      return {};
    }
    default:
      return {kInvalidValue, {}, {}};
  }
}

Service::Answer Service::elapsed(const Request& request) {
  const auto wanted = request.as<guest::Handles>();
  if (!wanted) return {kInvalidValue, {}, {}};
  const auto start = events_.find(wanted->first), end = events_.find(wanted->second);
  if (start == events_.end() || end == events_.end() || !start->second.recorded ||
      !end->second.recorded)
    return {kInvalidResourceHandle, {}, {}};
  served_.timings.push_back({start->second.place, start->second.moment, end->second.moment});
  if (!order_.isReached(wanted->second))
    find("timer", Severity::remark, request.head.where,
         "The elapsed time is read, although the work may not be done. If it is not done, "
         "cudaEventElapsedTime returns cudaErrorNotReady. Call cudaEventSynchronize for the second "
         "event first");
  if (!queue_.isDone(start->second.last) || !queue_.isDone(end->second.last))
    return {kNotReady, {}, {}};
  const float milliseconds =
      std::chrono::duration<float, std::milli>(*end->second.reached - *start->second.reached)
          .count();
  return {deviceError(), bytesOf(milliseconds), {}};
}

}  // namespace tilestep::program
