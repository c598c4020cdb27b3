// SPDX-License-Identifier: Apache-2.0
#include "gpu/fake_driver.h"

#include <cstdlib>
#include <cstring>

namespace tilestep::test {
namespace {

using namespace cuda;

// The driver's functions are plain functions, so their data must be global.
FakeDriver* fake = nullptr;

template <class... P>
ApiResult done(P...) {
  return kSuccess;
}

template <class Handle>
Handle handle() {
  static int some = 0;
  return reinterpret_cast<Handle>(&some);
}

template <class Handle, class... P>
ApiResult give(Handle* out, P...) {
  *out = handle<Handle>();
  return kSuccess;
}

template <class... P>
ApiResult countFreed(P...) {
  ++fake->freed;
  return kSuccess;
}

ApiResult version(int* out) {
  *out = fake->version;
  return kSuccess;
}

ApiResult errorName(ApiResult error, const char** text) {
  static const std::map<ApiResult, const char*> names = {
      {kOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY"},
      {kIllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS"},
      {kDeviceUnavailable, "CUDA_ERROR_DEVICE_UNAVAILABLE"},
      {kUnsupportedPtxVersion, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
      {kUnknown, "CUDA_ERROR_UNKNOWN"}};
  const auto at = names.find(error);
  *text = at == names.end() ? "CUDA_ERROR_OF_SOME_KIND" : at->second;
  return kSuccess;
}

ApiResult errorText(ApiResult, const char** text) {
  *text = "the driver's sentence";
  return kSuccess;
}

ApiResult deviceCount(int* count) {
  *count = 1;
  return kSuccess;
}

ApiResult deviceName(char* name, int bytes, DeviceOrdinal) {
  std::strncpy(name, "Fake GPU", static_cast<size_t>(bytes));
  return kSuccess;
}

ApiResult deviceAttribute(int* value, Attribute attribute, DeviceOrdinal) {
  static const std::map<Attribute, int> values = {{Attribute::maxThreadsPerBlock, 1024},
                                                  {Attribute::maxBlockX, 1024},
                                                  {Attribute::maxBlockY, 1024},
                                                  {Attribute::maxBlockZ, 64},
                                                  {Attribute::maxGridX, 2147483647},
                                                  {Attribute::maxGridY, 65535},
                                                  {Attribute::maxGridZ, 65535},
                                                  {Attribute::maxSharedPerBlock, 49152},
                                                  {Attribute::maxSharedPerBlockOptIn, 232448},
                                                  {Attribute::multiprocessors, 4},
                                                  {Attribute::maxBlocksPerMultiprocessor, 32},
                                                  {Attribute::maxThreadsPerMultiprocessor, 2048},
                                                  {Attribute::l2CacheBytes, 1 << 20},
                                                  {Attribute::maxSharedPerMultiprocessor, 233472}};
  const auto at = values.find(attribute);
  *value = at == values.end() ? 0 : at->second;
  if (attribute == Attribute::computeCapabilityMajor) *value = fake->capabilityMajor;
  if (attribute == Attribute::computeCapabilityMinor) *value = fake->capabilityMinor;
  return kSuccess;
}

ApiResult totalMemory(size_t* bytes, DeviceOrdinal) {
  *bytes = size_t{1} << 34;
  return kSuccess;
}

ApiResult pciBusId(char* id, int bytes, DeviceOrdinal) {
  std::strncpy(id, "0000:00:00.0", static_cast<size_t>(bytes));
  return kSuccess;
}

ApiResult contextDestroy(ContextHandle) {
  ++fake->contextsDestroyed;
  return kSuccess;
}

ApiResult memoryInfo(size_t* left, size_t* all) {
  *left = fake->freeBytes;
  *all = size_t{1} << 34;
  return kSuccess;
}

ApiResult allocateOnDevice(DevicePointer* pointer, size_t) {
  *pointer = 0x1000;
  return ++fake->allocations > fake->allocationsThatWork ? fake->onAllocate : kSuccess;
}

ApiResult allocateOnHost(void** pointer, size_t bytes, unsigned) {
  *pointer = std::calloc(1, bytes);
  fake->signal = static_cast<uint32_t*>(*pointer);
  return kSuccess;
}

ApiResult freeOnHost(void* pointer) {
  std::free(pointer);
  fake->signal = nullptr;
  return countFreed();
}

ApiResult copyBack(void* to, DevicePointer, size_t bytes) {
  std::memset(to, 0, bytes);
  return kSuccess;
}

ApiResult load(ModuleHandle* module, const void* image, unsigned count, JitOption* names,
               void** values) {
  fake->loaded.emplace_back(static_cast<const char*>(image));
  for (unsigned i = 0; i < count; ++i) {
    const std::string* text = names[i] == JitOption::infoLogBuffer    ? &fake->infoLog
                              : names[i] == JitOption::errorLogBuffer ? &fake->errorLog
                                                                      : nullptr;
    if (text != nullptr) std::memcpy(values[i], text->c_str(), text->size() + 1);
  }
  *module = handle<ModuleHandle>();
  return fake->onLoad;
}

ApiResult functionAttribute(int* value, FunctionAttribute attribute, FunctionHandle) {
  *value = attribute == FunctionAttribute::maxThreadsPerBlock ? 1024
           : attribute == FunctionAttribute::registers        ? 32
                                                              : 0;
  return kSuccess;
}

ApiResult occupancy(int* blocks, FunctionHandle, int, size_t sharedBytes) {
  *blocks = sharedBytes == 0 ? fake->occupancyWithoutShared : fake->occupancy;
  return kSuccess;
}

ApiResult launch(FunctionHandle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                 unsigned, StreamHandle, void**, void**) {
  ++fake->launches;
  return fake->launches > fake->launchesThatWork ? fake->onLaunch : kSuccess;
}

ApiResult query(EventHandle) {
  return ++fake->queries > fake->queriesThatWork ? fake->onQuery : kSuccess;
}

ApiResult elapsed(float* ms, EventHandle, EventHandle) {
  *ms = 1;
  return kSuccess;
}

Api makeApi() {
  Api api{};
  api.init = done;
  api.driverGetVersion = version;
  api.getErrorName = errorName;
  api.getErrorString = errorText;
  api.deviceGetCount = deviceCount;
  api.deviceGet = [](DeviceOrdinal* device, int ordinal) { return *device = ordinal, kSuccess; };
  api.deviceGetName = deviceName;
  api.deviceGetAttribute = deviceAttribute;
  api.deviceTotalMem = totalMemory;
  api.deviceGetPciBusId = pciBusId;
  api.ctxCreate = give;
  api.ctxDestroy = contextDestroy;
  api.ctxSetCurrent = done;
  api.ctxSynchronize = done;
  api.memGetInfo = memoryInfo;
  api.memAlloc = allocateOnDevice;
  api.memFree = countFreed;
  api.memHostAlloc = allocateOnHost;
  api.memFreeHost = freeOnHost;
  api.memHostGetDevicePointer = [](DevicePointer* pointer, void*, unsigned) {
    return *pointer = 0x2000, kSuccess;
  };
  api.memcpyHtoD = done;
  api.memcpyDtoH = copyBack;
  api.memcpyDtoDAsync = done;
  api.memsetD8Async = done;
  api.moduleLoadDataEx = load;
  api.moduleUnload = countFreed;
  api.moduleGetFunction = give;
  api.moduleGetGlobal = [](DevicePointer* pointer, size_t* bytes, ModuleHandle, const char*) {
    *bytes = 16;
    return *pointer = 0x3000, kSuccess;
  };
  api.funcGetAttribute = functionAttribute;
  api.funcSetAttribute = done;
  api.occupancyBlocks = occupancy;
  api.launchKernel = launch;
  api.streamCreate = give;
  api.streamDestroy = countFreed;
  api.streamSynchronize = done;
  api.eventCreate = give;
  api.eventDestroy = countFreed;
  api.eventRecord = done;
  api.eventQuery = query;
  api.eventElapsedTime = elapsed;
  return api;
}

}  // namespace

FakeDriver::FakeDriver() {
  fake = this;
}
FakeDriver::~FakeDriver() {
  fake = nullptr;
}

std::shared_ptr<const Driver> FakeDriver::driver() const {
  return Driver::over(makeApi());
}

}  // namespace tilestep::test
