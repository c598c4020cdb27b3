// SPDX-License-Identifier: Apache-2.0
// A libcuda.so.1 whose GPU is the interpreter in another process; PRETENDED_GPU names its program.
// For tests of programs on a GPU without a GPU. Implements the functions of the CUDA Driver API as
// far as programs and the description of a device need them.
#include <spawn.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "cuda_runtime.h"
#include "guest/driver/driver.h"
#include "guest/interpreter_server.h"

extern char** environ;

using namespace tilestep::guest;

namespace {

Server* gpu = nullptr;
int context = 0;

/// Starts the process that simulates the GPU.
Server* start() {
  int both[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both) != 0) return nullptr;
  std::string program = std::getenv("PRETENDED_GPU"), socket = std::to_string(both[1]);
  char* words[] = {program.data(), socket.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, both[1], both[1]);
  pid_t process = 0;
  if (posix_spawn(&process, program.c_str(), &actions, nullptr, words, environ) != 0)
    return nullptr;
  close(both[1]);
  Link& link = *new Link(both[0]);
  return new InterpreterServer(link, link.hello().device);
}

template <class T>
iovec pieceOf(const T& value) {
  return {const_cast<T*>(&value), sizeof value};
}

template <class T>
int ask(Call call, const T& request) {
  const iovec piece = pieceOf(request);
  return gpu->ask(call, nullptr, {&piece, 1}, nullptr);
}

template <class T, class A>
int ask(Call call, const T& request, A& out) {
  const iovec piece = pieceOf(request), place = pieceOf(out);
  Answer answer{{&place, 1}};
  return gpu->ask(call, nullptr, {&piece, 1}, &answer);
}

uint64_t numberOf(const void* handle) {
  return reinterpret_cast<uint64_t>(handle);
}

/// A function of a module, with its parameters.
struct Function {
  FunctionFacts facts{};
  std::vector<Parameter> parameters;
};

int allocate(uint64_t& address, Allocate wanted, size_t* pitch = nullptr) {
  Allocated got{};
  const int error = ask(Call::allocate, wanted, got);
  address = got.address;
  if (pitch != nullptr) *pitch = got.pitch;
  return error;
}

int copy(uint64_t to, uint64_t from, size_t bytes, int kind, const void* const* stream) {
  Copy wanted{};
  wanted.to = to;
  wanted.from = from;
  wanted.width = bytes;
  wanted.height = wanted.depth = 1;
  wanted.kind = kind;
  wanted.isAsync = stream != nullptr;
  if (stream != nullptr) wanted.stream = numberOf(*stream);
  return ask(Call::copy, wanted);
}

int copyBox(const Box& box, const void* const* stream) {
  const auto at = [](const Box::End& end) {
    const uint64_t start = end.kind == Box::host ? numberOf(end.host) : end.device;
    return start + (end.z * end.height + end.y) * end.pitch + end.x;
  };
  const auto isHost = [](const Box::End& end) { return end.kind == Box::host; };
  Copy wanted{};
  wanted.to = at(box.to);
  wanted.from = at(box.from);
  wanted.toPitch = box.to.pitch;
  wanted.fromPitch = box.from.pitch;
  wanted.toSlice = box.to.pitch * box.to.height;
  wanted.fromSlice = box.from.pitch * box.from.height;
  wanted.width = box.width;
  wanted.height = box.height;
  wanted.depth = box.depth;
  wanted.kind = box.to.kind == Box::unified ? cudaMemcpyDefault
                                            : (isHost(box.from) ? 0 : 2) + (isHost(box.to) ? 0 : 1);
  wanted.isAsync = stream != nullptr;
  if (stream != nullptr) wanted.stream = numberOf(*stream);
  return ask(Call::copy, wanted);
}

int fill(uint64_t to, size_t pitch, unsigned char byte, size_t width, size_t height,
         const void* const* stream) {
  return ask(Call::fill, Fill{to, pitch, 0, width, height, 1,
                              stream != nullptr ? numberOf(*stream) : 0, byte, stream != nullptr});
}

int launch(const void* handle, const unsigned (&shape)[6], unsigned bytes, const void* stream,
           void** arguments, bool isCooperative) {
  const auto& function = *static_cast<const Function*>(handle);
  std::vector<char> block(function.facts.parameterBytes);
  for (size_t i = 0; i < function.parameters.size(); ++i)
    std::memcpy(block.data() + function.parameters[i].offset, arguments[i],
                function.parameters[i].bytes);
  const Launch wanted{function.facts.number,          isCooperative, {shape[0], shape[1], shape[2]},
                      {shape[3], shape[4], shape[5]}, bytes,         numberOf(stream)};
  const iovec pieces[] = {pieceOf(wanted), {block.data(), block.size()}};
  return gpu->ask(Call::launch, nullptr, pieces, nullptr);
}

int make(Call call, void** handle, unsigned flags) {
  uint64_t number = 0;
  const int error = ask(call, Handles{0, 0, flags, 0}, number);
  *handle = reinterpret_cast<void*>(number);
  return error;
}

int handle(Call call, const void* first, const void* second, bool isEvent) {
  return ask(call, Handles{numberOf(first), numberOf(second), 0, isEvent});
}

}  // namespace

extern "C" {

int cuInit(unsigned) {
  if (gpu == nullptr && std::getenv("PRETENDED_GPU") != nullptr) gpu = start();
  return gpu != nullptr ? 0 : cudaErrorNoDevice;
}
int cuDriverGetVersion(int* version) {
  return *version = 13000, 0;
}
int cuDeviceGetCount(int* count) {
  return *count = 1, 0;
}
int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return ordinal == 0 ? 0 : cudaErrorInvalidDevice;
}
int cuDeviceGetName(char* name, int bytes, int) {
  std::snprintf(name, static_cast<size_t>(bytes), "%s", gpu->device().name);
  return 0;
}
int cuDeviceTotalMem_v2(size_t* bytes, int) {
  return *bytes = gpu->device().globalBytes, 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  const DeviceFacts& facts = gpu->device();
  *value = attribute == cudaDevAttrMaxThreadsPerBlock                 ? facts.threadsPerBlock
           : attribute == cudaDevAttrMaxSharedMemoryPerBlock          ? 49152
           : attribute == cudaDevAttrMaxSharedMemoryPerBlockOptin     ? 232448
           : attribute == cudaDevAttrMaxSharedMemoryPerMultiprocessor ? 233472
           : attribute == cudaDevAttrMultiProcessorCount              ? facts.multiprocessors
           : attribute == cudaDevAttrComputeCapabilityMajor           ? facts.major
           : attribute == cudaDevAttrMaxThreadsPerMultiProcessor      ? 2048
           : attribute == cudaDevAttrMaxBlocksPerMultiprocessor       ? 32
                                                                      : 0;
  return 0;
}
int cuDevicePrimaryCtxRetain(void** made, int) {
  return *made = &context, 0;
}
int cuCtxSetCurrent(void*) {
  return 0;
}
int cuCtxSynchronize() {
  return ask(Call::note, Noted{Note::waitedForDevice, 0});
}
int cuCtxSetLimit(int limit, size_t value) {
  return ask(Call::setLimit, FunctionAttribute{0, limit, static_cast<int64_t>(value)});
}
int cuCtxGetLimit(size_t* value, int limit) {
  return ask(Call::limit, FunctionAttribute{0, limit, 0}, *value);
}

int cuModuleLoadData(void** module, const void* image) {
  const iovec piece{const_cast<void*>(image), std::strlen(static_cast<const char*>(image))};
  auto* const number = new uint32_t;
  const iovec place = pieceOf(*number);
  Answer answer{{&place, 1}};
  *module = number;
  return gpu->ask(Call::module, nullptr, {&piece, 1}, &answer);
}
int cuModuleGetFunction(void** made, void* module, const char* name) {
  auto* const function = new Function;
  constexpr size_t kMost = 4096;
  function->parameters.resize(kMost);
  const Named named{*static_cast<const uint32_t*>(module), 0, 0};
  const iovec pieces[] = {pieceOf(named), {const_cast<char*>(name), std::strlen(name)}};
  const iovec places[] = {pieceOf(function->facts),
                          {function->parameters.data(), kMost * sizeof(Parameter)}};
  Answer answer{places};
  *made = function;
  const int error = gpu->ask(Call::function, nullptr, pieces, &answer);
  function->parameters.resize(error == 0 ? function->facts.parameters : 0);
  return error;
}
/// The caller needs a variable's size; the tests' variables are no larger than this.
int cuModuleGetGlobal_v2(uint64_t* address, size_t* bytes, void* module, const char* name) {
  *bytes = 4096;
  const Named named{*static_cast<const uint32_t*>(module), 0, *bytes};
  const iovec pieces[] = {pieceOf(named), {const_cast<char*>(name), std::strlen(name)}};
  const iovec place = pieceOf(*address);
  Answer answer{{&place, 1}};
  return gpu->ask(Call::variable, nullptr, pieces, &answer);
}
int cuFuncGetAttribute(int* value, int attribute, void* function) {
  const FunctionFacts& facts = static_cast<const Function*>(function)->facts;
  *value = attribute == kFunctionsThreads  ? facts.mostThreads
           : attribute == kFunctionsShared ? static_cast<int>(facts.sharedBytes)
           : attribute == kFunctionsLocal  ? static_cast<int>(facts.localBytes)
                                           : 0;
  return 0;
}
int cuFuncSetAttribute(void* function, int attribute, int value) {
  return ask(
      Call::attribute,
      FunctionAttribute{static_cast<const Function*>(function)->facts.number, attribute, value});
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void* function, int threads,
                                                size_t bytes) {
  uint64_t value = 0;
  const int error = ask(Call::occupancy,
                        Occupancy{static_cast<const Function*>(function)->facts.number,
                                  static_cast<uint32_t>(threads), bytes, 0},
                        value);
  *blocks = static_cast<int>(value);
  return error;
}
int cuOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, void* function, int blocks,
                                            int threads) {
  return ask(Call::occupancy,
             Occupancy{static_cast<const Function*>(function)->facts.number,
                       static_cast<uint32_t>(threads), 0, static_cast<uint32_t>(blocks)},
             *bytes);
}
int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned bytes, void* stream, void** arguments, void**) {
  return launch(function, {gx, gy, gz, bx, by, bz}, bytes, stream, arguments, false);
}
int cuLaunchCooperativeKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                              unsigned by, unsigned bz, unsigned bytes, void* stream,
                              void** arguments) {
  return launch(function, {gx, gy, gz, bx, by, bz}, bytes, stream, arguments, true);
}

int cuMemGetInfo_v2(size_t* left, size_t* all) {
  uint64_t both[2] = {};
  const int error = ask(Call::memory, Pointed{0}, both);
  *left = both[0];
  *all = both[1];
  return error;
}
int cuMemAlloc_v2(uint64_t* address, size_t bytes) {
  return allocate(*address, {MemoryKind::device, 0, bytes, 0, 0});
}
int cuMemAllocPitch_v2(uint64_t* address, size_t* pitch, size_t width, size_t height, unsigned) {
  return allocate(*address, {MemoryKind::device, 0, width, height, 0}, pitch);
}
int cuMemAllocManaged(uint64_t* address, size_t bytes, unsigned) {
  return allocate(*address, {MemoryKind::managed, 0, bytes, 0, 0});
}
int cuMemAllocAsync(uint64_t* address, size_t bytes, void* stream) {
  return allocate(*address, {MemoryKind::device, 1, bytes, 0, numberOf(stream)});
}
int cuMemHostAlloc(void** memory, size_t bytes, unsigned) {
  uint64_t address = 0;
  const int error = allocate(address, {MemoryKind::pinned, 0, bytes, 0, 0});
  *memory = reinterpret_cast<void*>(address);
  return error;
}
int cuMemFree_v2(uint64_t address) {
  return ask(Call::release, Release{address, MemoryKind::device, 0, 0});
}
int cuMemFreeAsync(uint64_t address, void* stream) {
  return ask(Call::release, Release{address, MemoryKind::device, 1, numberOf(stream)});
}
int cuMemFreeHost(void* memory) {
  return ask(Call::release, Release{numberOf(memory), MemoryKind::pinned, 0, 0});
}
// Memory is at the requested address as long as both services assign addresses in the same order.
int cuMemGetAllocationGranularity(size_t* bytes, const AllocationKind*, int) {
  return *bytes = 4096, 0;
}
int cuMemAddressReserve(uint64_t* address, size_t, size_t, uint64_t wanted, unsigned long long) {
  return *address = wanted, 0;
}
int cuMemAddressFree(uint64_t, size_t) {
  return 0;
}
int cuMemCreate(uint64_t* handle, size_t, const AllocationKind*, unsigned long long) {
  return *handle = 1, 0;
}
int cuMemRelease(uint64_t) {
  return 0;
}
int cuMemMap(uint64_t address, size_t bytes, size_t, uint64_t, unsigned long long) {
  uint64_t got = 0;
  const int error = cuMemAlloc_v2(&got, bytes);
  return error == 0 && got != address ? static_cast<int>(cudaErrorNotSupported) : error;
}
int cuMemUnmap(uint64_t address, size_t) {
  return cuMemFree_v2(address);
}
int cuMemSetAccess(uint64_t, size_t, const Access*, size_t) {
  return 0;
}
int cuMemHostRegister_v2(void* memory, size_t bytes, unsigned flags) {
  void* got = nullptr;
  const int error = cuMemHostAlloc(&got, bytes, flags);
  return error == 0 && got != memory ? static_cast<int>(cudaErrorNotSupported) : error;
}
int cuMemHostUnregister(void* memory) {
  return cuMemFreeHost(memory);
}
int cuMemcpy(uint64_t to, uint64_t from, size_t bytes) {
  return copy(to, from, bytes, 4, nullptr);
}
int cuMemcpyHtoD_v2(uint64_t to, const void* from, size_t bytes) {
  return copy(to, numberOf(from), bytes, 1, nullptr);
}
int cuMemcpyDtoH_v2(void* to, uint64_t from, size_t bytes) {
  return copy(numberOf(to), from, bytes, 2, nullptr);
}
int cuMemcpyDtoD_v2(uint64_t to, uint64_t from, size_t bytes) {
  return copy(to, from, bytes, 3, nullptr);
}
int cuMemcpyAsync(uint64_t to, uint64_t from, size_t bytes, const void* stream) {
  return copy(to, from, bytes, 4, &stream);
}
int cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t bytes, const void* stream) {
  return copy(to, numberOf(from), bytes, 1, &stream);
}
int cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t bytes, const void* stream) {
  return copy(numberOf(to), from, bytes, 2, &stream);
}
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, const void* stream) {
  return copy(to, from, bytes, 3, &stream);
}
int cuMemcpy3D_v2(const Box* box) {
  return copyBox(*box, nullptr);
}
int cuMemcpy3DAsync_v2(const Box* box, const void* stream) {
  return copyBox(*box, &stream);
}
int cuMemsetD8_v2(uint64_t to, unsigned char byte, size_t bytes) {
  return fill(to, 0, byte, bytes, 1, nullptr);
}
int cuMemsetD8Async(uint64_t to, unsigned char byte, size_t bytes, const void* stream) {
  return fill(to, 0, byte, bytes, 1, &stream);
}
int cuMemsetD2D8_v2(uint64_t to, size_t pitch, unsigned char byte, size_t width, size_t height) {
  return fill(to, pitch, byte, width, height, nullptr);
}
int cuMemsetD2D8Async(uint64_t to, size_t pitch, unsigned char byte, size_t width, size_t height,
                      const void* stream) {
  return fill(to, pitch, byte, width, height, &stream);
}
int cuPointerGetAttribute(void* to, int attribute, uint64_t address) {
  PointerFacts facts{};
  const int error = ask(Call::pointer, Pointed{address}, facts);
  if (error != 0) return error;
  if (attribute == kPointersMemory)
    *static_cast<unsigned*>(to) = facts.kind == MemoryKind::pinned ? Box::host : Box::device;
  if (attribute == kPointerIsManaged)
    *static_cast<unsigned*>(to) = facts.kind == MemoryKind::managed ? 1 : 0;
  if (attribute == kPointersStart) *static_cast<uint64_t*>(to) = facts.start;
  if (attribute == kPointersBytes) *static_cast<uint64_t*>(to) = facts.bytes;
  return 0;
}

int cuStreamCreate(void** stream, unsigned flags) {
  return make(Call::stream, stream, flags);
}
int cuStreamDestroy_v2(void* stream) {
  return handle(Call::endStream, stream, nullptr, false);
}
int cuStreamSynchronize(void* stream) {
  return handle(Call::wait, stream, nullptr, false);
}
int cuStreamQuery(void* stream) {
  return handle(Call::query, stream, nullptr, false);
}
int cuStreamWaitEvent(void* stream, void* event, unsigned) {
  return handle(Call::await, stream, event, false);
}
int cuEventCreate(void** event, unsigned flags) {
  return make(Call::event, event, flags);
}
int cuEventDestroy_v2(void* event) {
  return handle(Call::endEvent, event, nullptr, true);
}
int cuEventRecord(void* event, void* stream) {
  return handle(Call::record, event, stream, true);
}
int cuEventSynchronize(void* event) {
  return handle(Call::wait, event, nullptr, true);
}
int cuEventQuery(void* event) {
  return handle(Call::query, event, nullptr, true);
}
int cuEventElapsedTime(float* milliseconds, void* start, void* end) {
  return ask(Call::elapsed, Handles{numberOf(start), numberOf(end), 0, 1}, *milliseconds);
}

// Functions that only the description of a device calls, and symbols that it looks up but does not
// call.
int cuGetErrorName(int, const char** text) {
  return *text = "CUDA_ERROR", 0;
}
int cuGetErrorString(int, const char** text) {
  return *text = "an error", 0;
}
int cuDeviceGetPCIBusId(char* id, int bytes, int) {
  std::snprintf(id, static_cast<size_t>(bytes), "0000:00:00.0");
  return 0;
}
#define NOT_CALLED(name)          \
  int name() {                    \
    return cudaErrorNotSupported; \
  }
NOT_CALLED(cuCtxCreate_v2)
NOT_CALLED(cuCtxDestroy_v2)
NOT_CALLED(cuMemHostGetDevicePointer_v2)
NOT_CALLED(cuModuleLoadDataEx)
NOT_CALLED(cuModuleUnload)
#undef NOT_CALLED

}  // extern "C"
