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

namespace {

/// Pointers to functions in a variable's first value: the host may copy them and give them to a
/// kernel.
void putFunctionAddresses(const ptx::Module& module, const ptx::Variable& variable,
                          Allocation& memory) {
  for (const ptx::SymbolReference& reference : variable.references) {
    const ptx::Function* const function = module.find(reference.name);
    const bool isWhole = reference.bytes == sizeof(uint64_t) && reference.at <= memory.bytes &&
                         memory.bytes - reference.at >= sizeof(uint64_t);
    if (function == nullptr || !isWhole) continue;
    const uint64_t address =
        simt::codeAddress(static_cast<uint64_t>(function - module.functions.data()));
    std::memcpy(memory.host + reference.at, &address, sizeof address);
  }
}

/// The functions that ask for such memory.
std::vector<const char*> callsFor(const guest::Allocate& wanted) {
  if (wanted.kind == MemoryKind::managed) return {"cudaMallocManaged"};
  if (wanted.kind == MemoryKind::pinned) return {"cudaMallocHost", "cudaHostAlloc"};
  if (wanted.rows != 0) return {"cudaMallocPitch", "cudaMalloc3D"};
  if (wanted.isAsync != 0) return {"cudaMallocAsync"};
  return {"cudaMalloc"};
}

}  // namespace

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
  // The legacy default stream has two names.
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

Service::Answer Service::addModule(const Request& request) {
  const Result<uint32_t> number =
      modules_.add({reinterpret_cast<const char*>(request.bytes.data()), request.bytes.size()});
  if (!number) return {kInvalidKernelImage, {}, {}};
  return {0, bytesOf(*number), {}};
}

Service::Answer Service::addFunction(const Request& request) {
  const auto named = request.as<guest::Named>();
  if (!named) return {kInvalidValue, {}, {}};
  const auto text = request.behind<guest::Named>();
  guest::FunctionFacts facts{};
  const Kernel* kernel = modules_.addKernel(
      named->module, {reinterpret_cast<const char*>(text.data()), text.size()}, facts.number);
  if (kernel == nullptr) return {kInvalidDeviceFunction, {}, {}};
  facts.sharedBytes = kernel->sharedBytes;
  facts.localBytes = kernel->localBytes;
  facts.constantBytes = kernel->constantBytes;
  facts.mostThreads = static_cast<int32_t>(kernel->mostThreads);
  facts.registers = static_cast<int32_t>(kernel->registers);
  std::vector<uint8_t> parameters;
  for (const ptx::Parameter& each : kernel->entry->parameters) {
    const auto bytes = bytesOf(guest::Parameter{each.offset, each.bytes()});
    parameters.insert(parameters.end(), bytes.begin(), bytes.end());
    facts.parameterBytes = std::max<uint64_t>(facts.parameterBytes, each.offset + each.bytes());
    ++facts.parameters;
  }
  Answer answer{0, bytesOf(facts), {}};
  answer.data.insert(answer.data.end(), parameters.begin(), parameters.end());
  return answer;
}

Service::Answer Service::addVariable(const Request& request) {
  const auto named = request.as<guest::Named>();
  if (!named) return {kInvalidValue, {}, {}};
  const auto text = request.behind<guest::Named>();
  const std::string name(text.begin(), text.end());
  const ptx::Module* module = modules_.module(named->module);
  if (module == nullptr) return {kInvalidValue, {}, {}};
  const auto found = std::ranges::find(module->variables, name, &ptx::Variable::name);
  const std::lock_guard lock(mutex_);
  const bool isManaged = named->isManaged != 0 && rules_.gpu < 0;
  sharesMemory_ = sharesMemory_ || isManaged;
  Memory::Shared shared;
  Allocation* const made =
      told_ != nullptr
          ? &memory_.adopt(told_->made, named->bytes, MemoryKind::device)
          : memory_.allocate(named->bytes, isManaged ? MemoryKind::managed : MemoryKind::device,
                             isManaged ? &shared : nullptr);
  if (made == nullptr) return {kOutOfMemory, {}, {}};
  made->name = made->symbol = name;
  made->module = named->module;
  std::ranges::fill(made->written, 1);
  made->isSet = found == module->variables.end() || found->space != ptx::Space::constant ||
                !found->initial.empty();
  if (found != module->variables.end() && made->host != nullptr)
    std::copy_n(found->initial.begin(), std::min<size_t>(found->initial.size(), made->bytes),
                made->host);
  if (found != module->variables.end() && made->host != nullptr)
    putFunctionAddresses(*module, *found, *made);
  return {0, bytesOf(made->address), std::move(shared.descriptor)};
}

Service::Answer Service::allocate(const Request& request) {
  const auto wanted = request.as<guest::Allocate>();
  if (!wanted) return {kInvalidValue, {}, {}};
  constexpr uint64_t kPitch = 512;
  guest::Allocated got{};
  uint64_t bytes = wanted->bytes;
  if (wanted->rows > 0) {
    got.pitch = (wanted->bytes + kPitch - 1) / kPitch * kPitch;
    if (got.pitch < wanted->bytes || __builtin_mul_overflow(got.pitch, wanted->rows, &bytes))
      return {kOutOfMemory, {}, {}};
  }
  CallRecord& call = record(request, "cudaMalloc", 0);
  call.bytes = bytes;
  call.stream = wanted->stream;
  if (const int error = deviceError(); error != 0) return {call.result = error, {}, {}};
  // CUDA gives a null pointer for no bytes.
  if (bytes == 0) return {0, bytesOf(got), {}};
  Memory::Shared shared;
  const bool isShared = wanted->kind != MemoryKind::device && rules_.gpu < 0;
  sharesMemory_ = sharesMemory_ || wanted->kind != MemoryKind::device;
  const std::lock_guard lock(mutex_);
  Allocation* const made =
      told_ != nullptr ? adoptTold(bytes, wanted->kind)
                       : memory_.allocate(bytes, wanted->kind, isShared ? &shared : nullptr);
  if (made == nullptr && rules_.gpu >= 0 && told_ == nullptr) {
    // The driver is asked next.
    served_.calls.pop_back();
    return {kOutOfMemory, {}, {}};
  }
  if (made == nullptr) {
    findFailedAllocation(request, bytes);
    return {call.result = kOutOfMemory, {}, {}};
  }
  made->where = request.head.where;
  made->moment = call.moment;
  made->name = nameInText(*made, *wanted, call);
  made->line = call.place.line;
  got.address = made->address;
  got.mapped = shared.bytes;
  return {0, bytesOf(got), std::move(shared.descriptor)};
}

void Service::findFailedAllocation(const Request& request, uint64_t bytes) {
  // No device has so much: a negative number was made a size.
  constexpr uint64_t kNegative = uint64_t{1} << 48;
  if (bytes >= kNegative)
    find("overflow", Severity::fault, request.head.where,
         "The allocation is of " + std::to_string(bytes) + " bytes (as a signed number " +
             std::to_string(static_cast<int64_t>(bytes)) +
             "): a product of 32-bit numbers has overflowed. Make the first of them a size_t");
  else
    find("out-of-memory", Severity::remark, request.head.where,
         "The allocation of " + bytesText(bytes) + " fails: a program may have " +
             bytesText(memory_.most()) + " here, and has " + bytesText(memory_.used()));
}

Service::Answer Service::release(const Request& request) {
  const auto wanted = request.as<guest::Release>();
  if (!wanted) return {kInvalidValue, {}, {}};
  waitForAll();
  order_.waitForDevice();
  CallRecord& call = record(request, "cudaFree", 0);
  call.stream = wanted->stream;
  if (const int error = deviceError(); error != 0) return {call.result = error, {}, {}};
  const std::lock_guard lock(mutex_);
  Allocation* const found = memory_.at(wanted->address);
  if (!memory_.isDevices(wanted->address) || found == nullptr) {
    find("wrong-direction", Severity::fault, request.head.where,
         "cudaFree is given an address of the host's; free that with free or delete");
    return {call.result = kInvalidValue, {}, {}};
  }
  if (found->address != wanted->address) {
    find("use-after-free", Severity::fault, request.head.where,
         "cudaFree is given an address inside " + found->name +
             "; it takes the address that cudaMalloc gave");
    return {call.result = kInvalidValue, {}, {}};
  }
  if (found->freed) {
    find("use-after-free", Severity::fault, request.head.where, found->name + " is freed twice");
    return {call.result = kInvalidValue, {}, {}};
  }
  call.bytes = found->bytes;
  found->freedLine = call.place.line;
  memory_.release(wanted->address, request.head.where);
  return {};
}

std::string Service::nameInText(const Allocation& allocation, const guest::Allocate& wanted,
                                CallRecord& call) {
  const size_t number = places_.numberInLine(allocation.where);
  for (const char* each : callsFor(wanted)) {
    std::string argument = firstArgument(call.place, each, number);
    if (argument.empty()) continue;
    call.name = each;
    return argument;
  }
  return "an allocation of " + bytesText(allocation.bytes);
}

/// Constants that the kernel names and to which nothing was ever copied.
void Service::findUnsetConstants(const Kernel& kernel, const LaunchRecord& launch) {
  for (auto& [address, allocation] : memory_.all()) {
    if (allocation.symbol.empty() || allocation.isSet || allocation.module != kernel.moduleNumber)
      continue;
    const bool isNamed = std::ranges::any_of(kernel.entry->body, [&](const auto& instruction) {
      return std::ranges::find(instruction.operands, allocation.symbol, &ptx::Operand::name) !=
             instruction.operands.end();
    });
    if (!isNamed) continue;
    allocation.isSet = true;  // It is said once.
    served_.findings.push_back(
        {"never-copied", Severity::remark, launch.place,
         launch.kernel + " uses " + allocation.name +
             ", and nothing was copied there: all of it is 0. cudaMemcpyToSymbol fills it"});
  }
}

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
  launch.launch.grid = {wanted->grid[0], wanted->grid[1], wanted->grid[2]};
  launch.launch.block = {wanted->block[0], wanted->block[1], wanted->block[2]};
  launch.launch.cooperative = wanted->isCooperative != 0;
  const bool fits = wanted->sharedBytes <= UINT32_MAX;
  launch.launch.dynamicSharedBytes =
      static_cast<uint32_t>(std::min<uint64_t>(wanted->sharedBytes, UINT32_MAX));
  Refusal refusal = refusalOf(*kernel, launch.launch, rules_.device);
  if (!fits && refusal.error == 0) refusal = {kInvalidValue, "it asks for too much shared memory"};
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
    // Only a checked launch says what it used.
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
    if (captured != nullptr && !done.hazards.empty() && outcome.error == 0)
      operations_.tryOrders(*captured, memory_, own, cancelled_, done);
    for (const simt::Fault& each : outcome.outsideRows)
      ofOperations_.push_back({each.kind,
                               Severity::remark,
                               {done.place.file, each.line},
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

Service::Answer Service::attribute(const Request& request) {
  const auto wanted = request.as<guest::FunctionAttribute>();
  Kernel* const kernel = wanted ? modules_.kernel(wanted->function) : nullptr;
  if (kernel == nullptr) return {kInvalidDeviceFunction, {}, {}};
  constexpr int kMostDynamicBytes = 8;
  if (wanted->attribute != kMostDynamicBytes) return {};
  const uint64_t most = rules_.device.sharedPerBlockOptin;
  if (wanted->value < 0 || static_cast<uint64_t>(wanted->value) + kernel->sharedBytes > most)
    return {kInvalidValue, {}, {}};
  kernel->mostDynamicBytes = static_cast<uint64_t>(wanted->value);
  return {};
}

Service::Answer Service::occupancy(const Request& request) {
  const auto wanted = request.as<guest::Occupancy>();
  const Kernel* const kernel = wanted ? modules_.kernel(wanted->function) : nullptr;
  if (kernel == nullptr) return {kInvalidDeviceFunction, {}, {}};
  const guest::DeviceFacts& device = rules_.device;
  if (wanted->threads == 0) return {kInvalidValue, {}, {}};
  if (wanted->blocks != 0) {
    const uint64_t each = device.sharedPerMultiprocessor / wanted->blocks;
    const uint64_t taken = device.sharedReserved + kernel->sharedBytes;
    const uint64_t left =
        std::min(each > taken ? each - taken : 0, device.sharedPerBlock - kernel->sharedBytes);
    return {0, bytesOf(left), {}};
  }
  metrics::BlockNeeds needs;
  needs.threads = wanted->threads;
  needs.registersPerThread = kernel->registers;
  needs.sharedBytes = static_cast<uint32_t>(
      std::min<uint64_t>(kernel->sharedBytes + wanted->dynamicBytes, UINT32_MAX));
  const metrics::Occupancy found = metrics::occupancy(multiprocessorOf(device), needs);
  return {0, bytesOf(uint64_t{found.refusal.empty() ? found.blocks : 0}), {}};
}

Service::Answer Service::memoryInfo() {
  const std::lock_guard lock(mutex_);
  const uint64_t all = rules_.device.globalBytes;
  const uint64_t both[2] = {all - std::min(all, memory_.used()), all};
  const auto* first = reinterpret_cast<const uint8_t*>(both);
  return {0, {first, first + sizeof both}, {}};
}

Service::Answer Service::pointer(const Request& request) {
  const auto wanted = request.as<guest::Pointed>();
  if (!wanted) return {kInvalidValue, {}, {}};
  const std::lock_guard lock(mutex_);
  const Allocation* const found = memory_.holder(wanted->address, 1);
  if (found == nullptr) return {kInvalidValue, {}, {}};
  return {0, bytesOf(guest::PointerFacts{found->address, found->bytes, found->kind}), {}};
}

Service::Answer Service::limit(const Request& request) {
  const auto wanted = request.as<guest::FunctionAttribute>();
  if (!wanted || wanted->attribute < 0 || wanted->attribute > 6) return {kInvalidValue, {}, {}};
  if (request.head.call == Call::setLimit) {
    limits_[wanted->attribute] = static_cast<uint64_t>(wanted->value);
    return {};
  }
  // Those of a device that nobody set: CUDA Runtime API, cudaDeviceSetLimit.
  constexpr uint64_t kUsual[] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
  const auto found = limits_.find(wanted->attribute);
  return {0, bytesOf(found != limits_.end() ? found->second : kUsual[wanted->attribute]), {}};
}

Service::Answer Service::note(const Request& request) {
  const auto noted = request.as<guest::Noted>();
  if (!noted) return {kInvalidValue, {}, {}};
  switch (noted->note) {
    case guest::Note::askedForError:
      record(request, "cudaGetLastError", noted->value).asksForErrors = true;
      return {};
    case guest::Note::namedError:
      record(request, "cudaGetErrorString", noted->value).asksForErrors = true;
      return {};
    case guest::Note::waitedForDevice: {
      waitForAll();
      order_.waitForDevice();
      const int error = deviceError();
      record(request, "cudaDeviceSynchronize", error).waits = true;
      return {error, {}, {}};
    }
    case guest::Note::usedCublas:
      served_.libraries.insert("cuBLAS");
      return {};
    case guest::Note::pinnedMemory:
      served_.pinsMemory = true;
      return {};
    case guest::Note::usedCurand:
      served_.libraries.insert("cuRAND");
      return {};
    case guest::Note::resetDevice: {
      waitForAll();
      order_.waitForDevice();
      record(request, "cudaDeviceReset", 0);
      const std::lock_guard lock(mutex_);
      for (auto& [address, allocation] : memory_.all()) {
        if (!allocation.freed && allocation.symbol.empty())
          memory_.release(address, request.head.where);
      }
      error_ = 0;
      return {};
    }
  }
  return {kInvalidValue, {}, {}};
}

Service::Answer Service::touched(const Request& request) {
  const auto touch = request.as<guest::Touched>();
  if (!touch) return {kInvalidValue, {}, {}};
  const std::lock_guard lock(mutex_);
  const Allocation* const found = memory_.at(touch->address);
  // A GPU's addresses lie among the host's: what is none of them is told by the signal alone.
  if (rules_.gpu >= 0 && (!memory_.isDevices(touch->address) ||
                          (found != nullptr && found->kind != MemoryKind::device)))
    return {};
  if (found != nullptr && found->kind != MemoryKind::device && !found->freed) {
    Work work;
    work.kind = WorkKind::host;
    work.ticket = order_.host();
    work.what = "The host";
    work.where = request.head.where;
    work.place = places_.of(work.where);
    work.moment = ++moment_;
    work.done = true;
    Ranges& bytes = touch->isWrite != 0 ? work.uses.plainWrites : work.uses.plainReads;
    bytes = {{touch->address, touch->address + 1}};
    log_.add(std::move(work), order_);
    return {};
  }
  const std::string name = found != nullptr ? found->name : "the device's memory";
  find("host-touches-device-memory", Severity::fault, request.head.where,
       std::string("The host ") + (touch->isWrite != 0 ? "writes to " : "reads from ") + name +
           ", which is memory of the device; copy it with cudaMemcpy, or allocate it with "
           "cudaMallocManaged");
  return {};
}

Service::Answer Service::refused(const Request& request) {
  const auto told = request.as<guest::Refused>();
  if (!told) return {kInvalidValue, {}, {}};
  CallRecord& call = record(request, "cudaMemcpy", told->error);
  call.bytes = told->bytes;
  if (told->address == 0) {
    find("wrong-size", Severity::fault, request.head.where,
         "The copy is refused: its rows of " + bytesText(told->bytes) +
             " are longer than their pitch of " + bytesText(told->room) +
             "; pitch and width are numbers of bytes");
    return {told->error, {}, {}};
  }
  const std::lock_guard lock(mutex_);
  const Allocation* const variable = memory_.at(told->address);
  find("copy-out-of-bounds", Severity::fault, request.head.where,
       "The copy is refused: it goes past the end of " +
           (variable != nullptr ? variable->name : std::string("the variable")) + ", which has " +
           bytesText(told->room) + ", and " + bytesText(told->bytes) + " are asked for");
  return {told->error, {}, {}};
}

Service::Answer Service::overflowed(const Request& request) {
  const auto told = request.as<guest::Overflowed>();
  if (!told) return {kInvalidValue, {}, {}};
  const bool isInt = told->bits == 32;
  find("overflow", Severity::remark, request.head.where,
       std::to_string(told->left) + " * " + std::to_string(told->right) + " is more than " +
           (isInt ? "an int" : std::to_string(told->bits) + " bits") +
           " can hold, so that anything may come of it; compute sizes and indices with size_t");
  return {};
}

}  // namespace tilestep::program
