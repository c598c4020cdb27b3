// SPDX-License-Identifier: Apache-2.0
// Handles reports of a guest on a GPU. The GPU's driver has done the work, which is recorded here.
#include <algorithm>
#include <utility>

#include "program/answers.h"
#include "program/error_string.h"
#include "program/errors.h"
#include "program/service.h"

namespace tilestep::program {

using guest::Call;

namespace {

/// Errors after which a GPU does nothing more for a program (CUDA Driver API, "CUresult").
bool endsTheWork(int error) {
  return error >= kIllegalAddress && error < kCooperativeTooLarge && error != kOutOfResources;
}

/// Whether a failed call of this kind has created nothing and ordered nothing.
bool meansNothingIfItFailed(Call call) {
  switch (call) {
    case Call::variable:
    case Call::stream:
    case Call::event:
    case Call::endStream:
    case Call::endEvent:
    case Call::record:
    case Call::await:
    case Call::wait:
    case Call::query:
    case Call::attribute:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool Service::hear(const Request& request) {
  switch (request.head.call) {
    case Call::gpu:
      if (const auto facts = request.as<guest::DeviceFacts>()) {
        rules_.device = *facts;
        rules_.device.name[sizeof facts->name - 1] = '\0';
      }
      return true;
    case Call::told:
      hearTold(request);
      return true;
    case Call::took:
      hearTook(request);
      return true;
    case Call::contents:
      hearContents(request);
      return true;
    case Call::forget:
      if (const auto address = request.as<uint64_t>(); address && rules_.looked) {
        const std::lock_guard lock(mutex_);
        if (memory_.forget(*address) && !served_.calls.empty()) served_.calls.pop_back();
      }
      return true;
    default:
      return false;
  }
}

void Service::hearTold(const Request& request) {
  const auto told = request.as<guest::Told>();
  if (!told || rules_.gpu < 0) return;
  if (look_ == guest::Look::yes) look_ = told->look;
  const auto behind = request.behind<guest::Told>();
  Request done;
  done.head = request.head;
  done.head.call = told->call;
  done.bytes.assign(behind.begin(), behind.end());
  const size_t calls = served_.calls.size(), launches = served_.launches.size(),
               findings = served_.findings.size();
  if (told->error == 0 || !meansNothingIfItFailed(told->call)) {
    told_ = &*told;
    handle(done);
    told_ = nullptr;
  }
  // The driver accepted an address that is no longer the device's, so it is the host's by now.
  if (told->error == 0)
    served_.findings.erase(
        std::remove_if(served_.findings.begin() + static_cast<std::ptrdiff_t>(findings),
                       served_.findings.end(),
                       [](const Finding& each) {
                         return each.kind == "wrong-direction" || each.kind == "use-after-free";
                       }),
        served_.findings.end());
  if (served_.calls.size() > calls) {
    served_.calls.back().result = told->error;
    if (told->work != 0) timedWork_[told->work] = {false, served_.calls.size() - 1};
  }
  if (served_.launches.size() > launches) {
    const std::lock_guard lock(mutex_);
    served_.launches.back().result = told->error;
    served_.launches.back().ran = told->error == 0;
    if (told->error == 0) underWay_.push_back(launches);
    if (told->work != 0) timedWork_[told->work] = {true, launches};
  }
  if (endsTheWork(told->error)) return findLost(done, told->error);
  if (told->error == 0) forgetWhatIsOver(done);
}

void Service::forgetWhatIsOver(const Request& request) {
  std::optional<uint64_t> stream;
  if (const auto copy = request.as<guest::Copy>(); request.head.call == Call::copy && copy)
    if (copy->isAsync == 0) stream = 0;
  if (const auto wait = request.as<guest::Handles>(); request.head.call == Call::wait && wait)
    if (wait->isEvent == 0) stream = wait->first;
  const auto noted = request.as<guest::Noted>();
  const bool isAll =
      request.head.call == Call::note && noted && noted->note == guest::Note::waitedForDevice;
  std::erase_if(underWay_,
                [&](size_t launch) { return isAll || served_.launches[launch].stream == stream; });
}

void Service::hearTook(const Request& request) {
  const auto took = request.as<guest::Took>();
  const auto found = took ? timedWork_.find(took->work) : timedWork_.end();
  if (found == timedWork_.end() || !(took->milliseconds >= 0)) return;
  const auto [isLaunch, number] = found->second;
  const std::lock_guard lock(mutex_);
  if (isLaunch)
    served_.launches[number].milliseconds = took->milliseconds;
  else
    served_.calls[number].milliseconds = took->milliseconds;
  timedWork_.erase(found);
}

void Service::hearContents(const Request& request) {
  const auto address = request.as<uint64_t>();
  if (!address || !rules_.looked || look_ != guest::Look::yes) return;
  const auto data = request.behind<uint64_t>();
  queue_.add([this, at = *address, bytes = std::vector<uint8_t>(data.begin(), data.end())] {
    const std::lock_guard lock(mutex_);
    Allocation* const found = memory_.holder(at, bytes.size());
    if (found != nullptr && found->host != nullptr)
      std::ranges::copy(bytes, found->host + (at - found->address));
  });
}

bool Service::isOnlyTold() const {
  return told_ != nullptr && (!rules_.looked || look_ != guest::Look::yes || told_->error != 0);
}

std::string Service::whyNotLooked(bool hasFailed) const {
  switch (look_) {
    case guest::Look::notAsked:
      return "only --check and --counters examine kernels on a GPU";
    case guest::Look::tooMuch:
      return "its launches use more than the 1 GiB that can be copied";
    case guest::Look::otherAddresses:
      return "the driver could not allocate memory at the interpreter's addresses";
    case guest::Look::waitsForHost:
      return "earlier work waits for the host";
    case guest::Look::notCaptured:
      return "its memory could not be read";
    case guest::Look::yes:
      break;
  }
  return hasFailed ? "the interpreter did not complete an earlier launch"
                   : "the interpreter was stopped before it";
}

void Service::keepWhatTheGpuDid(const LaunchRecord& gpus, LaunchOutcome& outcome,
                                LaunchRecord& seen) const {
  // These faults show that the interpreter is slow, or that host writes did not reach it.
  const auto isNoFault = [&](const simt::Fault& fault) {
    return fault.kind == "timeout" || fault.kind == "instruction-limit" ||
           fault.kind == "unsupported-instruction" ||
           (sharesMemory_ && (fault.kind == "deadlock" || fault.kind == "waits-too-long"));
  };
  seen.notLooked = std::exchange(seen.trouble, {});
  if (const auto fault = std::ranges::find_if(seen.faults, isNoFault); fault != seen.faults.end()) {
    seen.notLooked = "the interpreter did not finish (" + fault->kind + ")";
    seen.faults.clear();
    seen.hazards.clear();
    seen.counters.reset();
  }
  seen.result = gpus.result;
  seen.ran = gpus.ran;
  seen.milliseconds = gpus.milliseconds;
  outcome.printed.clear();
}

Allocation* Service::adoptTold(uint64_t bytes, guest::MemoryKind kind) {
  return told_->error != 0 ? nullptr : &memory_.adopt(told_->made, bytes, kind);
}

Refusal Service::toldRefusal(const Refusal& expected) const {
  if (told_->error == 0) return {};
  if (endsTheWork(told_->error)) return {told_->error, "an earlier fault is still set"};
  return {told_->error, expected.error != 0
                            ? expected.why
                            : "the GPU's driver reports \"" + errorString(told_->error) + "\""};
}

void Service::findLost(const Request& request, int error) {
  if (deviceError() != 0) return;
  {
    const std::lock_guard lock(mutex_);
    error_ = error;
  }
  // A fault is attributed to a launch only if no other launch can have caused it.
  std::string which = "A launch";
  uint64_t where = request.head.where;
  if (underWay_.size() == 1) {
    LaunchRecord& launch = served_.launches[underWay_.front()];
    launch.result = error;
    which = "The launch of " + launch.kernel;
  }
  served_.findings.push_back(
      {"launch-failed", Severity::fault,
       underWay_.size() == 1 ? served_.launches[underWay_.front()].place : places_.of(where),
       which + " failed on the GPU: \"" + errorString(error) +
           "\"; the interpreter (--device simt) reports the thread and the line"});
}

}  // namespace tilestep::program
