// SPDX-License-Identifier: Apache-2.0
#include "support/kernels.h"

#include <algorithm>
#include <ctime>
#include <iostream>
#include <map>

#include "base/files.h"
#include "corpus/corpus.h"
#include "device/parameter.h"
#include "lab/job.h"
#include "simt/setup.h"

namespace tilestep::bench {
namespace {

constexpr std::byte kPoison{0};
constexpr uint64_t kMostBytes = uint64_t{256} << 20;

device::DeviceInfo interpreter() {
  return device::openSimt(1)->info();
}

Result<Kernel> compiled(const compile::CatalogueEntry& entry, compile::CompileService& service) {
  if (!entry.spec) return *entry.error;
  const Result<std::string> arch = lab::archFor(*entry.spec, interpreter());
  if (!arch) return arch.error();
  const Result<compile::Plan> plan = compile::plan(*entry.spec, {}, {}, interpreter().limits);
  if (!plan) return plan.error();
  auto ptx = service.compile({entry.source, plan->tunables, *arch, false, {}});
  if (!ptx) return ptx.error();
  return Kernel{entry.spec->name, *entry.spec, plan->sizes, *ptx};
}

std::string textOf(const compile::Bindings& sizes) {
  std::string text;
  for (const auto& [name, value] : sizes) {
    text += (text.empty() ? "" : " ") + name + "=" + std::to_string(value);
  }
  return text;
}

}  // namespace

double processorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

const char* nameOf(Mode mode) {
  constexpr const char* kNames[] = {"plain", "counters", "check", "trace"};
  return kNames[static_cast<size_t>(mode)];
}

std::vector<Kernel> allKernels() {
  const Result<std::filesystem::path> home = findHome();
  if (!home) return {};
  compile::CompileService service({home->string(), cacheFolder().string(), {}});
  std::map<std::string, compile::Bindings> sizes;
  if (const auto cases = corpus::readCases()) {
    for (const corpus::Case& each : *cases) sizes[each.kernel] = each.sizes;
  }
  std::vector<Kernel> kernels;
  for (const std::string& folder : {home->string() + "/kernels", corpus::folder()}) {
    for (const compile::CatalogueEntry& entry : compile::readCatalogue(folder)) {
      Result<Kernel> kernel = compiled(entry, service);
      if (!kernel) {
        std::cerr << entry.source.path << ": " << toString(kernel.error()) << "\n";
        continue;
      }
      if (sizes.count(kernel->name) != 0) kernel->sizes = sizes[kernel->name];
      kernels.push_back(std::move(*kernel));
    }
  }
  return kernels;
}

Result<std::unique_ptr<Runnable>> Runnable::make(const Kernel& kernel,
                                                 const compile::Bindings& sizes) {
  Result<compile::Plan> plan = compile::plan(kernel.spec, sizes, {}, interpreter().limits);
  if (!plan) return plan.error();
  Result<device::Job> job = lab::makeJob({}, *plan, *kernel.compiled);
  if (!job) return job.error();
  uint64_t bytes = 0;
  for (const device::Operand& operand : job->operands) bytes += operand.bytes();
  if (bytes > kMostBytes) return requestError("The operands are too large for a benchmark.");
  return std::unique_ptr<Runnable>(new Runnable(std::move(*job)));
}

Runnable::Runnable(device::Job job) : job_(std::move(job)) {
  for (uint32_t i = 0; i < job_.operands.size(); ++i) {
    const device::Operand& operand = job_.operands[i];
    const bool isScalar = operand.kind == OperandKind::scalar;
    const bool isSymbol = operand.kind == OperandKind::symbol;
    if (!isSymbol)
      parameters_.push_back(isScalar ? device::scalarBits(operand.type, operand.scalar)
                                     : simt::addressOf(i));
    filled_.push_back(isScalar ? std::vector<std::byte>()
                               : device::fillOperand(operand, i, job_.seed, kPoison));
    memory_.push_back(filled_.back());
    const bool shadowed = !isScalar && operand.direction == Direction::out;
    shadows_.emplace_back(shadowed ? memory_.back().size() : 0);
    simt::Buffer buffer;
    buffer.name = operand.name;
    if (isSymbol) buffer.symbol = operand.name;
    buffer.bytes = memory_.back().size();
    buffer.columns = operand.columns;
    buffer.elementBytes = bytesOf(operand.type);
    buffers_.push_back(std::move(buffer));
  }
}

void Runnable::restore() {
  for (size_t i = 0; i < memory_.size(); ++i) {
    std::copy(filled_[i].begin(), filled_[i].end(), memory_[i].begin());
    std::fill(shadows_[i].begin(), shadows_[i].end(), uint8_t{0});
    buffers_[i].host = reinterpret_cast<uint8_t*>(memory_[i].data());
  }
}

simt::GridRequest Runnable::requestOf(size_t launch, Mode mode) const {
  simt::GridRequest request;
  request.module = job_.module.get();
  request.launch = job_.launches[launch];
  request.buffers = buffers_;
  request.parameters = parameters_;
  request.counters = mode == Mode::counters;
  request.check = mode == Mode::check;
  for (size_t i = 0; request.check && i < shadows_.size(); ++i) {
    if (!shadows_[i].empty()) request.buffers[i].shadow = const_cast<uint8_t*>(shadows_[i].data());
  }
  if (mode == Mode::trace && launch == 0) request.trace.emplace();
  request.sharedArrays = job_.sharedArrays;
  request.timeoutSeconds = 20;
  return request;
}

/// What the launches gave together: counts and faults. Adds the time they ran to `seconds`.
simt::GridResult Runnable::runLaunches(Mode mode, double& seconds) {
  simt::GridResult all;
  std::vector<std::vector<uint8_t>> variables;
  for (size_t i = 0; i < job_.launches.size(); ++i) {
    simt::GridRequest request = requestOf(i, mode);
    request.variables = &variables;
    simt::Setup setup;
    if (!simt::prepare(request, setup)) continue;
    const double start = processorSeconds();
    Result<simt::GridResult> result = simt::runPrepared(request, setup, {});
    seconds += processorSeconds() - start;
    if (!result) all.faults.emplace_back();
    if (!result) continue;
    if (result->counters && !all.counters) all.counters.emplace();
    if (result->counters) all.counters->total += result->counters->total;
    all.faults.insert(all.faults.end(), result->faults.begin(), result->faults.end());
  }
  return all;
}

double Runnable::run(Mode mode, size_t* faults) {
  restore();
  double seconds = 0;
  const simt::GridResult result = runLaunches(mode, seconds);
  if (faults != nullptr) *faults = result.faults.size();
  return seconds;
}

void Runnable::decode(Mode mode) {
  for (size_t i = 0; i < job_.launches.size(); ++i) {
    const simt::GridRequest request = requestOf(i, mode);
    simt::Setup setup;
    static_cast<void>(simt::prepare(request, setup));
  }
}

uint64_t Runnable::threadInstructions() {
  restore();
  double seconds = 0;
  const simt::GridResult result = runLaunches(Mode::counters, seconds);
  return result.counters ? result.counters->total.threadInstructions : 0;
}

Result<Sized> sized(const Kernel& kernel, uint64_t least) {
  Sized best;
  compile::Bindings sizes = kernel.sizes;
  while (best.threadInstructions < least) {
    Result<std::unique_ptr<Runnable>> next = Runnable::make(kernel, sizes);
    size_t faults = 0;
    if (next) (*next)->run(Mode::plain, &faults);
    const uint64_t instructions = next && faults == 0 ? (*next)->threadInstructions() : 0;
    // Where more data is no more work, the kernel is as large as it gets.
    if (instructions <= best.threadInstructions) break;
    best = {std::move(*next), textOf(sizes), instructions};
    for (auto& [name, value] : sizes) value *= 2;
  }
  if (!best.runnable) return requestError("It does not run at " + textOf(kernel.sizes) + ".");
  return best;
}

}  // namespace tilestep::bench
