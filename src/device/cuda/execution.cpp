// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/execution.h"

#include <thread>

#include "device/cuda/driver/faults.h"

namespace tilestep::cuda {
namespace {

using namespace std::chrono_literals;

/// Work that ends within this time after a cancellation leaves the context usable.
constexpr auto kGrace = 1s;
/// The host spins for this time, in which short kernels end; then it polls at intervals.
constexpr auto kSpin = 2ms;
constexpr auto kNap = 100us;

}  // namespace

Result<Execution> Execution::start(const ContextPtr& context, double timeoutSeconds,
                                   const device::Cancelled& cancelled, std::string what) {
  Execution execution;
  execution.context_ = context;
  Result<Stream> stream = makeStream(context);
  if (!stream) return stream.error();
  Result<Event> done = makeEvent(context);
  if (!done) return done.error();
  execution.stream_ = std::move(*stream);
  execution.done_ = std::move(*done);
  execution.timeoutSeconds_ = timeoutSeconds;
  execution.restartClock();
  execution.cancelled_ = &cancelled;
  execution.what_ = std::move(what);
  return execution;
}

Status Execution::note(ApiResult result, const std::string& what) {
  return context_->check(result, what);
}

std::optional<device::Fault> Execution::fault() const {
  if (context_->fatal() != kSuccess) return faultOf(context_->driver(), context_->fatal(), what_);
  if (timedOut_) return timeout();
  return std::nullopt;
}

device::Fault Execution::timeout() const {
  return step_.empty() ? timeoutFault(what_, timeoutSeconds_)
                       : lateTimeoutFault(what_, plainSeconds_, step_, timeoutSeconds_);
}

void Execution::setStep(double plainSeconds, std::string step) {
  plainSeconds_ = plainSeconds;
  step_ = std::move(step);
}

Status Execution::checkCancelled() const {
  if (*cancelled_ && (*cancelled_)()) return workError("The run was cancelled.");
  return {};
}

Status Execution::giveUp(const std::string& sentence) {
  context_->abandon();
  return workError(sentence);
}

Status Execution::finish() {
  const Api& api = context_->api();
  if (Status s = note(api.eventRecord(done_.get(), stream()), "cuEventRecord"); !s) return s;
  return await(done_);
}

Status Execution::finishAtOnce() {
  const Api& api = context_->api();
  if (Status s = note(api.eventRecord(done_.get(), stream()), "cuEventRecord"); !s) return s;
  return await(done_, false);
}

void Execution::setTimeLeft(double seconds) {
  deadline_ = Clock::now() +
              std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

Status Execution::await(const Event& event, bool naps) {
  const Api& api = context_->api();
  const auto begun = Clock::now();
  std::optional<Clock::time_point> cancelledAt;
  for (;;) {
    const ApiResult result = api.eventQuery(event.get());
    if (result != kNotReady) {
      if (Status s = note(result, "Running " + what_); !s) return s;
      return cancelledAt ? Status(workError("The run was cancelled.")) : Status();
    }
    const auto now = Clock::now();
    if (now > deadline_) {
      timedOut_ = true;
      return giveUp(timeout().message);
    }
    if (now - begun < kSpin) continue;
    if (waiting_) waiting_();
    if (!cancelledAt && !checkCancelled().ok()) cancelledAt = now;
    if (cancelledAt && now - *cancelledAt > kGrace) return giveUp("The run was cancelled.");
    if (naps) std::this_thread::sleep_for(kNap);
  }
}

}  // namespace tilestep::cuda
