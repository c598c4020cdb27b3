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

/// One job's stream and clock: waits for work with a time limit, and tells a kernel's fault from
/// a failure of the machine.
class Execution {
 public:
  static Result<Execution> start(const ContextPtr& context, double timeoutSeconds,
                                 const device::Cancelled& cancelled, std::string what);

  [[nodiscard]] StreamHandle stream() const { return stream_.get(); }
  [[nodiscard]] const ContextPtr& context() const { return context_; }
  /// Waits until all work on the stream is done. An Error after a fault, the time limit, or when
  /// cancelled; the context is abandoned then where work may still run.
  Status finish();
  /// The same, and asks without a pause, so that it returns within about a microsecond of the end.
  Status finishAtOnce();
  /// `finish` for all work up to `event`, which is recorded already.
  Status await(const Event& event) { return await(event, true); }
  /// The time limit counts from now on.
  void restartClock() { setTimeLeft(timeoutSeconds_); }
  /// So much of the time limit is left.
  void setTimeLeft(double seconds);
  /// Error when the job was cancelled meanwhile; waits for nothing.
  [[nodiscard]] Status checkCancelled() const;
  /// The plain kernels ended within this time, and from now on `step` of the job is run. Used to
  /// word a time limit that passes later.
  void setStep(double plainSeconds, std::string step);
  /// A time limit passed after the first step.
  [[nodiscard]] bool endedLate() const { return timedOut_ && !step_.empty(); }
  /// Called now and then while `finish` waits, on its thread.
  void setWaiting(std::function<void()> waiting) { waiting_ = std::move(waiting); }
  /// What the kernel did wrong, that it never ended, or that the GPU is gone, once any call on the
  /// context has failed for that reason.
  [[nodiscard]] std::optional<device::Fault> fault() const;
  /// The context's check.
  Status note(ApiResult result, const std::string& what);

 private:
  using Clock = std::chrono::steady_clock;
  /// `naps`: it may sleep between two questions.
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
