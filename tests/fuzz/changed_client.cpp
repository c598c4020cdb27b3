// SPDX-License-Identifier: Apache-2.0
#include "fuzz/changed_client.h"

#include "unit/model/fake_client.h"
#include "unit/worker/samples.h"

namespace tilestep::fuzz {
namespace {

/// The first operand that a launch writes.
uint32_t outputOf(const compile::Plan& plan) {
  for (uint32_t i = 0; i < plan.operands.size(); ++i)
    if (plan.operands[i].spec.direction != Direction::in && plan.operands[i].elements > 0) return i;
  return 0;
}

device::DeviceInfo gpu() {
  device::DeviceInfo info = worker::sample::deviceInfo();
  info.id = "cuda:0";
  info.limits = Limits{};
  info.registersPerMultiprocessor = 65536;
  info.sharedBytesPerMultiprocessor = 233472;
  info.threadsPerMultiprocessor = 2048;
  info.blocksPerMultiprocessor = 32;
  info.clockMhz = 1980;
  info.recordedOn.clear();
  info.machines = info.machine = 0;
  return info;
}

device::Ceilings ceilingsOf(const std::string& device) {
  device::Ceilings ceilings;
  ceilings.device = device;
  ceilings.origin = "computed for a test";
  ceilings.dramBytesPerSecond = 1e12;
  ceilings.l2BytesPerSecond = 4e12;
  ceilings.sharedBytesPerSecond = 2e13;
  ceilings.fp32FlopPerSecond = 1e13;
  ceilings.launchSeconds = 1e-6;
  ceilings.dramLatencySeconds = 5e-7;
  ceilings.facts = gpu();
  return ceilings;
}

void addFindings(lab::RunResult& r) {
  const uint32_t output = outputOf(r.plan);
  const compile::ResolvedOperand& operand = r.plan.operands[output];
  r.check = lab::Check{
      "float64", 2.1e-8,          7.5e-6, 3, false, 0, lab::WrongElement{output, 0, true, 3, 8},
      1,         operand.elements};
  r.hazards = {{"read-after-write", "shared", {12, {1, 0, 0}, {0, 0, 0}}, {13, {}, {}}, 2, 9}};
  r.faults = {{"out-of-bounds", {9, {1, 1, 0}, {0, 0, 0}}, uint64_t{1} << 44, 3, "past the end"}};
  r.pictures = {{output, operand.rows, operand.columns, 2, 2, {1.5F, -2, 3.25F, 0}}};
  r.printed = {{{7, {0, 0, 0}, {0, 0, 0}}, "hello\n"}};
  r.printedAll = false;
  r.uncertain = {{lab::UncertainCounts::Why::meets, 7, {"global_load_requests"}}};
  r.asyncCopies = true;
}

}  // namespace

Result<lab::RunResult> fullResult(const lab::Experiment& experiment) {
  const auto spec = compile::parseKernel(experiment.source);
  if (!spec) return spec.error();
  const auto plan = compile::plan(*spec, experiment.sizes, experiment.tunables, Limits{});
  if (!plan) return plan.error();
  // The timeline of a large grid would take longer to send than everything else.
  constexpr uint64_t kMostBlocks = 64;
  lab::Experiment toy = experiment;
  toy.timeline = toy.timeline && plan->launches.front().grid.count() <= kMostBlocks;
  lab::RunResult r = model::toyResult(toy);
  if (experiment.timeline && !r.timeline) r.timelineNote = "too many blocks for a toy";
  if (experiment.device != "simt") r.device = gpu();
  r.device.id = experiment.device;
  r.assumed = {{"entry", "x", 3}};
  r.compiler = {"nvrtc", "13.0", "compute_75", 41.25};
  r.sharedBytes = 2048;
  r.registers = 32;
  r.localBytes = 16;
  r.wallSeconds = 0.125;
  r.machine = device::MachineFacts{8, 16, 8, "registers"};
  r.countingOverhead = 1.75;
  r.counters->total.warpInstructions = 1000;
  r.counters->total.branches = 100;
  r.counters->total.divergentBranches = 10;
  r.counters->total.sharedLoad = {64, 96, 32};
  r.counters->total.ffma = 4096;
  r.counters->epochs = {r.counters->total, trace::Counters{}};
  r.countersFrom = "simt";
  r.machineCeilings = ceilingsOf(experiment.device);
  addFindings(r);
  return r;
}

/// The answer after encoding and decoding; nothing if it is refused.
std::optional<worker::Answer> ChangedClient::sent(const worker::Answer& answer) {
  ++told_->answers;
  auto read = worker::decodeAnswer(changes_.changed(encode(answer)));
  if (read && read->body.index() == answer.body.index()) return std::move(*read);
  ++told_->refused;
  if (!read && read.error().message.empty()) told_->trouble = "a refusal without a reason";
  return std::nullopt;
}

template <class Body>
uint64_t ChangedClient::answer(Body body) {
  auto came = sent({next_, std::move(body)});
  worker::Reply reply{next_, workError("the worker's answer cannot be")};
  if (came) reply.body = std::get<Body>(std::move(came->body));
  if (const auto* result = worker::resultOf(reply)) told_->results.push_back(*result);
  replies_.push_back(std::move(reply));
  return next_++;
}

uint64_t ChangedClient::run(const lab::Experiment& experiment) {
  auto result = fullResult(experiment);
  return result ? answer(lab::shared(std::move(*result))) : answer(std::move(result).error());
}
uint64_t ChangedClient::devices() {
  device::DeviceInfo simt;
  simt.id = "simt";
  simt.name = "SIMT interpreter";
  return answer(worker::DevicesReply{{simt, gpu()}, "a test"});
}
uint64_t ChangedClient::ceilings(const std::string& device) {
  return answer(ceilingsOf(device));
}
uint64_t ChangedClient::ptx(const lab::Experiment&, bool) {
  return answer(
      std::string(".version 8.0\n.target sm_75\n.address_size 64\n"
                  ".visible .entry matmul_tiled()\n{\n\tret;\n}\n"));
}
uint64_t ChangedClient::live(const lab::Experiment&) {
  stream_ = next_;
  return next_++;
}
std::optional<device::LiveBatch> ChangedClient::samples(uint64_t id) {
  if (id == 0 || id != std::exchange(stream_, 0)) return std::nullopt;
  auto came = sent({id, worker::sample::liveBatch()});
  if (!came) return std::nullopt;
  return std::get<device::LiveBatch>(std::move(came->body));
}
void ChangedClient::cancel(uint64_t) {}
std::optional<worker::Reply> ChangedClient::poll() {
  if (replies_.empty()) return std::nullopt;
  worker::Reply reply = std::move(replies_.front());
  replies_.pop_front();
  return reply;
}
std::optional<worker::Progress> ChangedClient::progress() {
  return std::nullopt;
}
worker::Reply ChangedClient::wait(uint64_t id) {
  return {id, workError("not in tests")};
}

}  // namespace tilestep::fuzz
