// SPDX-License-Identifier: Apache-2.0
#include "guest/driver/driver_server.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cuda_runtime.h"
#include "guest/connection.h"
#include "guest/rows.h"

namespace tilestep::guest {
namespace {

template <class T>
const T& as(std::span<const iovec> request) {
  return *static_cast<const T*>(request[0].iov_base);
}

template <class T>
T& placeOf(const Answer& answer) {
  return *static_cast<T*>(answer.to[0].iov_base);
}

[[noreturn]] void failOn(int ordinal, const std::string& why) {
  fail(("the program cannot run on cuda:" + std::to_string(ordinal) + ": " + why).c_str());
}

/// The server that sends the last reports before the program ends.
DriverServer* atTheEnd = nullptr;

}  // namespace

DriverServer::DriverServer(Link& link, const Welcome& welcome)
    : link_(link),
      times_(driver_, link, welcome.isTimed != 0),
      mirror_(driver_, link, welcome.gpu, welcome.isLooked != 0) {
  if (const char* why = open(driver_)) failOn(welcome.gpu, why);
  int device = 0;
  for (const int error : {driver_.init(0), driver_.deviceGet(&device, welcome.gpu),
                          driver_.primaryCtxRetain(&context_, device)})
    if (error != 0) failOn(welcome.gpu, "the driver returns error " + std::to_string(error));
  useContext();
  describe(device);
  atTheEnd = this;
  // Registered after the driver's own exit functions, so it runs before them.
  std::atexit([] { atTheEnd->finish(); });
}

void DriverServer::finish() {
  times_.collect();
  link_.flush();
}

/// Each host thread has its own current context.
void DriverServer::useContext() const {
  thread_local bool isUsed = false;
  if (!isUsed) isUsed = driver_.ctxSetCurrent(context_) == 0;
}

/// The driver and the runtime have the same numbers for attributes.
void DriverServer::describe(int device) {
  const auto get = [&](cudaDeviceAttr attribute) {
    int value = 0;
    return driver_.deviceGetAttribute(&value, attribute, device) == 0 ? value : 0;
  };
  size_t bytes = 0;
  driver_.deviceGetName(facts_.name, sizeof facts_.name - 1, device);
  driver_.deviceTotalMem(&bytes, device);
  facts_.globalBytes = bytes;
  facts_.sharedPerBlock = static_cast<uint64_t>(get(cudaDevAttrMaxSharedMemoryPerBlock));
  facts_.sharedPerBlockOptin = static_cast<uint64_t>(get(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  facts_.sharedPerMultiprocessor =
      static_cast<uint64_t>(get(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
  facts_.sharedReserved = static_cast<uint64_t>(get(cudaDevAttrReservedSharedMemoryPerBlock));
  facts_.constantBytes = static_cast<uint64_t>(get(cudaDevAttrTotalConstantMemory));
  facts_.l2Bytes = static_cast<uint64_t>(get(cudaDevAttrL2CacheSize));
  facts_.major = get(cudaDevAttrComputeCapabilityMajor);
  facts_.minor = get(cudaDevAttrComputeCapabilityMinor);
  facts_.multiprocessors = get(cudaDevAttrMultiProcessorCount);
  facts_.clockKhz = get(cudaDevAttrClockRate);
  facts_.memoryClockKhz = get(cudaDevAttrMemoryClockRate);
  facts_.busBits = get(cudaDevAttrGlobalMemoryBusWidth);
  facts_.registersPerBlock = get(cudaDevAttrMaxRegistersPerBlock);
  facts_.registersPerMultiprocessor = get(cudaDevAttrMaxRegistersPerMultiprocessor);
  facts_.threadsPerBlock = get(cudaDevAttrMaxThreadsPerBlock);
  facts_.threadsPerMultiprocessor = get(cudaDevAttrMaxThreadsPerMultiProcessor);
  facts_.blocksPerMultiprocessor = get(cudaDevAttrMaxBlocksPerMultiprocessor);
  facts_.singleToDouble = get(cudaDevAttrSingleToDoublePrecisionPerfRatio);
  const iovec piece{&facts_, sizeof facts_};
  link_.say(Call::gpu, nullptr, {&piece, 1});
}

int DriverServer::ask(Call call, const void* where, std::span<const iovec> request,
                      Answer* answer) {
  useContext();
  Done done;
  switch (call) {
    case Call::module:
      return addModule(request, *answer);
    case Call::function:
      return addFunction(request, *answer);
    case Call::variable:
      return addVariable(request, *answer);
    case Call::allocate:
      return allocate(where, as<Allocate>(request), placeOf<Allocated>(*answer));
    case Call::release:
      done = release(as<Release>(request));
      break;
    case Call::copy:
      done = copy(as<Copy>(request));
      tellCopy(done, where, as<Copy>(request));
      // The host has waited, and may end the program next, so the reports are sent now.
      if (as<Copy>(request).isAsync == 0) link_.flush();
      return done.error;
    case Call::fill:
      done = fill(as<Fill>(request));
      break;
    case Call::launch:
      done = launch(as<Launch>(request), request[1].iov_base);
      tellLaunch(done, where, request);
      return done.error;
    case Call::wait:
      done = wait(as<Handles>(request));
      break;
    case Call::query:
      done = query(as<Handles>(request));
      break;
    case Call::stream:
    case Call::event:
    case Call::endStream:
    case Call::endEvent:
    case Call::record:
    case Call::await:
      done = handles(call, as<Handles>(request), answer);
      break;
    case Call::attribute:
      done.error = driver_.funcSetAttribute(functionOf(as<FunctionAttribute>(request).function),
                                            as<FunctionAttribute>(request).attribute,
                                            static_cast<int>(as<FunctionAttribute>(request).value));
      break;
    case Call::note:
      done = note(as<Noted>(request));
      break;
    case Call::touched:
    case Call::overflowed:
    case Call::refused:
      break;
    default:
      return question(call, request, *answer);
  }
  tell(call, done, where, request);
  if (call == Call::touched) link_.flush();
  return done.error;
}

void DriverServer::tell(Call call, const Done& done, const void* where,
                        std::span<const iovec> request) {
  const Told told{call, done.error, done.made, done.work, mirror_.look(), 0};
  std::vector<iovec> pieces{{const_cast<Told*>(&told), sizeof told}};
  pieces.insert(pieces.end(), request.begin(), request.end());
  link_.say(Call::told, where, pieces);
}

void DriverServer::tellCopy(const Done& done, const void* where, Copy copy) {
  std::vector<iovec> pieces{{&copy, sizeof copy}};
  copy.carries = 0;
  if (mirror_.look() == Look::yes) {
    // The service copies device memory itself. Host data is sent with the request.
    copy.to = mirror_.servicesAddress(copy.to);
    copy.from = mirror_.servicesAddress(copy.from);
    copy.carries = done.error == 0 && isInSpan(copy.to) && !isInSpan(copy.from);
    const auto rows = copy.carries != 0 ? rowsOf(copy.from, copy.fromPitch, copy.fromSlice, copy)
                                        : std::vector<iovec>();
    pieces.insert(pieces.end(), rows.begin(), rows.end());
  }
  tell(Call::copy, done, where, pieces);
}

void DriverServer::tellLaunch(const Done& done, const void* where, std::span<const iovec> request) {
  const auto* first = static_cast<const char*>(request[1].iov_base);
  std::vector<char> parameters(first, first + request[1].iov_len);
  if (mirror_.look() == Look::yes) mirror_.translate(parameters);
  const iovec pieces[] = {request[0], {parameters.data(), parameters.size()}};
  tell(Call::launch, done, where, pieces);
}

int DriverServer::addModule(std::span<const iovec> request, Answer& answer) {
  const int error = link_.ask(Call::module, nullptr, request, &answer);
  if (error != 0) return error;
  // The driver expects a terminating zero byte.
  const std::string text(static_cast<const char*>(request[0].iov_base), request[0].iov_len);
  void* module = nullptr;
  const int refused = driver_.moduleLoadData(&module, text.c_str());
  const auto number = placeOf<uint32_t>(answer);
  modules_.resize(number + 1);
  modules_[number] = module;
  return refused;
}

int DriverServer::addFunction(std::span<const iovec> request, Answer& answer) {
  const int error = link_.ask(Call::function, nullptr, request, &answer);
  if (error != 0) return error;
  auto& facts = placeOf<FunctionFacts>(answer);
  const std::string name(static_cast<const char*>(request[1].iov_base), request[1].iov_len);
  Kernel kernel;
  const auto* first = static_cast<const Parameter*>(answer.to[1].iov_base);
  kernel.parameters.assign(first, first + facts.parameters);
  const int refused =
      driver_.moduleGetFunction(&kernel.handle, modules_[as<Named>(request).module], name.c_str());
  if (refused != 0) return refused;
  const auto get = [&](int attribute) {
    int value = 0;
    driver_.funcGetAttribute(&value, attribute, kernel.handle);
    return value;
  };
  facts.sharedBytes = static_cast<uint64_t>(get(kFunctionsShared));
  facts.constantBytes = static_cast<uint64_t>(get(kFunctionsConstant));
  facts.localBytes = static_cast<uint64_t>(get(kFunctionsLocal));
  facts.registers = get(kFunctionsRegisters);
  facts.mostThreads = get(kFunctionsThreads);
  if (kernels_.size() <= facts.number) kernels_.resize(facts.number + 1);
  kernels_[facts.number] = std::move(kernel);
  return 0;
}

int DriverServer::addVariable(std::span<const iovec> request, Answer& answer) {
  if (as<Named>(request).isManaged != 0)
    fail("__managed__ variables work only in the interpreter so far; run with --device simt");
  const std::string name(static_cast<const char*>(request[1].iov_base), request[1].iov_len);
  auto& address = placeOf<uint64_t>(answer);
  size_t bytes = 0;
  const int error =
      driver_.moduleGetGlobal(&address, &bytes, modules_[as<Named>(request).module], name.c_str());
  if (error != 0) return error;
  if (mirror_.look() != Look::yes) {
    tell(Call::variable, {0, address, 0}, nullptr, request);
    return 0;
  }
  uint64_t services = 0;
  const iovec place{&services, sizeof services};
  Answer theirs{{&place, 1}};
  if (link_.ask(Call::variable, nullptr, request, &theirs) == 0)
    mirror_.addVariable(services, address, as<Named>(request).bytes);
  return 0;
}

void* DriverServer::functionOf(uint32_t number) const {
  return number < kernels_.size() ? kernels_[number].handle : nullptr;
}

int DriverServer::question(Call call, std::span<const iovec> request, Answer& answer) const {
  switch (call) {
    case Call::elapsed:
      if (!lives(as<Handles>(request).first) || !lives(as<Handles>(request).second))
        return cudaErrorInvalidResourceHandle;
      return driver_.eventElapsedTime(&placeOf<float>(answer),
                                      reinterpret_cast<void*>(as<Handles>(request).first),
                                      reinterpret_cast<void*>(as<Handles>(request).second));
    case Call::occupancy:
      return occupancy(as<Occupancy>(request), placeOf<uint64_t>(answer));
    case Call::memory: {
      size_t left = 0, all = 0;
      const int error = driver_.memGetInfo(&left, &all);
      (&placeOf<uint64_t>(answer))[0] = left;
      (&placeOf<uint64_t>(answer))[1] = all;
      return error;
    }
    case Call::pointer:
      return pointer(as<Pointed>(request), placeOf<PointerFacts>(answer));
    case Call::setLimit:
      return driver_.ctxSetLimit(as<FunctionAttribute>(request).attribute,
                                 static_cast<size_t>(as<FunctionAttribute>(request).value));
    case Call::limit: {
      size_t value = 0;
      const int error = driver_.ctxGetLimit(&value, as<FunctionAttribute>(request).attribute);
      placeOf<uint64_t>(answer) = value;
      return error;
    }
    default:
      return cudaErrorNotSupported;
  }
}

int DriverServer::occupancy(const Occupancy& wanted, uint64_t& value) const {
  void* const function = functionOf(wanted.function);
  if (wanted.blocks != 0) {
    size_t bytes = 0;
    const int error = driver_.occupancyBytes(&bytes, function, static_cast<int>(wanted.blocks),
                                             static_cast<int>(wanted.threads));
    value = bytes;
    return error;
  }
  int blocks = 0;
  const int error = driver_.occupancyBlocks(&blocks, function, static_cast<int>(wanted.threads),
                                            wanted.dynamicBytes);
  value = static_cast<uint64_t>(blocks);
  return error;
}

int DriverServer::pointer(const Pointed& wanted, PointerFacts& facts) const {
  unsigned kind = 0, isManaged = 0;
  size_t bytes = 0;
  const auto get = [&](void* to, int attribute) {
    return driver_.pointerGetAttribute(to, attribute, wanted.address);
  };
  if (const int error = get(&kind, kPointersMemory); error != 0) return error;
  get(&isManaged, kPointerIsManaged);
  get(&facts.start, kPointersStart);
  get(&bytes, kPointersBytes);
  facts.bytes = bytes;
  facts.kind = isManaged != 0        ? MemoryKind::managed
               : kind == Box::device ? MemoryKind::device
                                     : MemoryKind::pinned;
  return 0;
}

}  // namespace tilestep::guest
