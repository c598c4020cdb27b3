// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "program/answers.h"
#include "program/errors.h"
#include "program/service.h"
#include "ptx/source_file.h"

namespace tilestep::program {
namespace {

/// The file with the kernel's source, if it is not the launch's file.
std::string otherFileOf(const Kernel& kernel, const Place& launch) {
  const std::filesystem::path file = ptx::sourceFileOf(*kernel.module, *kernel.entry);
  const bool isOther = file.filename() != std::filesystem::path(launch.file).filename();
  return isOther && !launch.file.empty() ? file.string() : std::string();
}

}  // namespace

Service::Answer Service::launch(const Request& request) {
  const auto wanted = request.as<guest::Launch>();
  if (!wanted) return {kInvalidValue, {}, {}};
  Kernel* const kernel = modules_.kernel(wanted->function);
  const auto block = request.behind<guest::Launch>();
  if (kernel == nullptr) return {kInvalidDeviceFunction, {}, {}};
  uint64_t needed = 0;
  for (const ptx::Parameter& each : kernel->entry->parameters)
    needed = std::max<uint64_t>(needed, each.offset + each.bytes());
  if (block.size() < needed || streamOf(wanted->stream) == nullptr)
    return {kInvalidResourceHandle, {}, {}};
  LaunchRecord launch;
  launch.kernel = kernel->name;
  launch.moment = ++moment_;
  launch.stream = wanted->stream;
  launch.place = places_.of(request.head.where);
  launch.kernelFile = otherFileOf(*kernel, launch.place);
  launch.launch.grid = {wanted->grid[0], wanted->grid[1], wanted->grid[2]};
  launch.launch.block = {wanted->block[0], wanted->block[1], wanted->block[2]};
  launch.launch.cooperative = wanted->isCooperative != 0;
  const bool fits = wanted->sharedBytes <= UINT32_MAX;
  launch.launch.dynamicSharedBytes =
      static_cast<uint32_t>(std::min<uint64_t>(wanted->sharedBytes, UINT32_MAX));
  Refusal refusal = refusalOf(*kernel, launch.launch, rules_.device);
  if (!fits && refusal.error == 0) refusal = {kInvalidValue, "it requests too much shared memory"};
  const bool isTold = told_ != nullptr;
  const int earlier = deviceError();
  if (isTold)
    refusal = toldRefusal(refusal);
  else if (earlier != 0)
    refusal = {earlier, "an earlier launch failed"};
  launch.followsFault = refusal.error != 0 && refusal.error == earlier;
  if (isTold && refusal.error == 0) launch.notLooked = whyNotLooked(earlier != 0);
  launch.result = refusal.error;
  launch.refusal = refusal.why;
  const size_t number = served_.launches.size();
  {
    const std::lock_guard lock(mutex_);
    if (refusal.error == 0 && rules_.launches.check) findUnsetConstants(*kernel, launch);
    served_.launches.push_back(std::move(launch));
  }
  if (refusal.error != 0) return {refusal.error, {}, {}};
  Work asked;
  asked.kind = WorkKind::launch;
  asked.what = "the launch of " + kernel->name;
  asked.launch = number;
  const size_t work = issue(request, wanted->stream, std::move(asked));
  {
    const std::lock_guard lock(mutex_);
    latestLaunch_ = {number, log_.at(work).ticket};
  }
  LaunchRules rules = rules_.launches;
  if (!isTold) rules.hostMayWrite = [this] { return sharesMemory_ && !hostWaits_; };
  const bool isCaptured = number + 1 == rules.capture;
  enqueue(wanted->stream, [this, kernel, number, work, rules, isTold, isCaptured,
                           parameters = std::vector<uint8_t>(block.begin(), block.end())] {
    LaunchRecord done;
    {
      const std::lock_guard lock(mutex_);
      if (error_ != 0) return;
      done = served_.launches[number];
    }
    std::shared_ptr<device::CapturedLaunch> captured;
    {
      const std::lock_guard lock(mutex_);
      if (isCaptured || (rules.check && operations_.wants(memory_)))
        captured = operations_.begin(*kernel, parameters, memory_, done, number + 1);
    }
    // Only a checked launch reports the memory that it used.
    LaunchRules own = rules;
    own.check = own.check || isCaptured;
    if (captured != nullptr && rules.check) own.rows = Operations::rowsOf(*captured);
    LaunchProgress now{done.kernel, done.place};
    const auto start = std::chrono::steady_clock::now();
    own.progress = [&](double ended) {
      now.ended = ended;
      now.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      if (rules_.progress) rules_.progress(now);
    };
    LaunchOutcome outcome = runLaunch(*kernel, parameters, memory_, mutex_, own, cancelled_, done);
    const std::lock_guard lock(mutex_);
    if (cancelled_ && cancelled_()) served_.unfinished = now;
    if (isTold) keepWhatTheGpuDid(served_.launches[number], outcome, done);
    log_.setUses(work, outcome.uses);
    if (captured != nullptr) addAccesses(outcome.uses, *captured);
    if (captured != nullptr && rules.check && done.ran && outcome.error == 0)
      for (Finding& each : operations_.end(*captured, memory_, done))
        ofOperations_.push_back(std::move(each));
    // A GPU's addresses of functions and variables are meaningless in a separate launch.
    const bool isOwn = rules_.gpu < 0 || !device::holdsAddresses(*kernel->module);
    if (captured != nullptr && isOwn && !done.hazards.empty() && outcome.error == 0)
      operations_.tryOrders(*captured, memory_, own, cancelled_, done);
    for (const simt::Fault& each : outcome.outsideRows)
      ofOperations_.push_back(
          {each.kind,
           Severity::remark,
           {done.kernelFile.empty() ? done.place.file : done.kernelFile, each.line},
           "in " + done.kernel + ": " + each.message});
    if (isCaptured) {
      served_.captured = std::move(captured);
      hasCaptured_ = true;
    }
    log_.at(work).done = true;
    served_.launches[number] = std::move(done);
    printed_ += outcome.printed;
    if (error_ == 0) error_ = outcome.error;
  });
  return {};
}

}  // namespace tilestep::program
