// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/execution.h"

#include <thread>

#include "base/figure.h"

namespace tilestep::cuda {
namespace {

using namespace std::chrono_literals;

/// Work that ends within this time after a cancel leaves the context whole.
constexpr auto kGrace = 2s;
/// Short kernels end within the spin; longer ones are asked after now and then.
constexpr auto kSpin = 2ms;
constexpr auto kNap = 100us;

/// A fault's kind by the driver's result; empty for what is no kernel's doing.
std::string faultKind(ApiResult result) {
  switch (result) {
    case kIllegalAddress:
      return "out-of-bounds";
    case kMisalignedAddress:
      return "misaligned";
    case kIllegalInstruction:
    case kInvalidPc:
    case kLaunchFailed:
      return "launch-failed";
    case kLaunchTimeout:
      return "timeout";
    default:
      return {};
  }
}

std::string faultSentence(const std::string& what, const std::string& kind) {
  const std::string hint = "; --device simt names the line and the thread.";
  if (kind == "out-of-bounds") return what + " touched memory that is not its own" + hint;
  if (kind == "misaligned") return what + " used an address that its width does not allow" + hint;
  if (kind == "timeout")
    return what + " ran longer than the driver allows on a GPU with a display.";
  return what + " ended in an exception of the GPU" + hint;
}

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
  execution.deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(timeoutSeconds));
  execution.cancelled_ = &cancelled;
  execution.what_ = std::move(what);
  return execution;
}

Status Execution::note(ApiResult result, const std::string& what) {
  const std::string kind = faultKind(result);
  if (!kind.empty() && !fault_) {
    device::Fault fault;
    fault.kind = kind;
    fault.message = faultSentence(what_, kind);
    fault_ = std::move(fault);
    context_->abandon();
  }
  return context_->check(result, what);
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
  const auto begun = Clock::now();
  std::optional<Clock::time_point> cancelledAt;
  for (;;) {
    const ApiResult result = api.eventQuery(done_.get());
    if (result != kNotReady) {
      if (Status s = note(result, "Running " + what_); !s) return s;
      return cancelledAt ? Status(workError("The run was cancelled.")) : Status();
    }
    const auto now = Clock::now();
    if (now > deadline_) {
      return giveUp(what_ + " ran past its time limit of " +
                    toText(timeoutSeconds_, Unit::seconds) +
                    " on the GPU; give it more with --timeout, or take smaller sizes.");
    }
    if (now - begun < kSpin) continue;
    if (!cancelledAt && !checkCancelled().ok()) cancelledAt = now;
    if (cancelledAt && now - *cancelledAt > kGrace) return giveUp("The run was cancelled.");
    std::this_thread::sleep_for(kNap);
  }
}

}  // namespace tilestep::cuda
