// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "device/cuda/driver/context.h"
#include "device/device.h"

namespace tilestep::cuda {

/// One job's stream and clock. Waits for work with a time limit, and distinguishes a kernel's fault
/// from a failure of the machine.
class Execution {
 public:
  static Result<Execution> start(const ContextPtr& context, double timeoutSeconds,
                                 const device::Cancelled& cancelled, std::string what);

  [[nodiscard]] StreamHandle stream() const { return stream_.get(); }
  [[nodiscard]] const ContextPtr& context() const { return context_; }
  /// Waits until all work on the stream is done. Returns an Error after a fault, at the time limit,
  /// or if cancelled, and then abandons the context if work may still be running.
  Status finish();
  /// Like finish(), but spins, so that it returns within about a microsecond of the end.
  Status finishAtOnce();
  /// Like finish(), for all work up to `event`, which must have been recorded.
  Status await(const Event& event) { return await(event, true); }
  /// Restarts the time limit from now.
  void restartClock() { setTimeLeft(timeoutSeconds_); }
  /// Sets the remaining time.
  void setTimeLeft(double seconds);
  /// Error if the job was cancelled; does not wait.
  [[nodiscard]] Status checkCancelled() const;
  /// Reports that the plain kernels ended within `plainSeconds` and that the job's `step` begins. A
  /// later timeout's message contains both.
  void setStep(double plainSeconds, std::string step);
  /// Whether the time limit passed after the first step.
  [[nodiscard]] bool endedLate() const { return timedOut_ && !step_.empty(); }
  /// Called periodically while finish() waits, on its thread.
  void setWaiting(std::function<void()> waiting) { waiting_ = std::move(waiting); }
  /// The kernel's fault, its timeout, or the loss of the GPU. Absent until a call on the context
  /// has failed for one of these reasons.
  [[nodiscard]] std::optional<device::Fault> fault() const;
  /// Context::check() on this job's context.
  Status note(ApiResult result, const std::string& what);

 private:
  using Clock = std::chrono::steady_clock;
  /// `naps` says whether to sleep between polls.
  Status await(const Event& event, bool naps);
  Status giveUp(const std::string& sentence);
  [[nodiscard]] device::Fault timeout() const;

  ContextPtr context_;
  Stream stream_;
  Event done_;
  Clock::time_point deadline_;
  double timeoutSeconds_ = 0;
  const device::Cancelled* cancelled_ = nullptr;
  std::string what_, step_;
  double plainSeconds_ = 0;
  std::function<void()> waiting_;
  bool timedOut_ = false;
};

}  // namespace tilestep::cuda
