// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/driver/driver.h"

#include <dlfcn.h>

#include "device/cuda/driver/faults.h"

namespace tilestep::cuda {
namespace {

/// Finds entry points by name and remembers the first missing one.
class Symbols {
 public:
  explicit Symbols(void* library) : library_(library) {}

  template <class F>
  void find(F& function, const char* name) {
    function = reinterpret_cast<F>(dlsym(library_, name));
    if (function == nullptr && missing_.empty()) missing_ = name;
  }
  /// Leaves the function null if an older driver does not have it.
  template <class F>
  void findOptional(F& function, const char* name) {
    function = reinterpret_cast<F>(dlsym(library_, name));
  }
  [[nodiscard]] const std::string& missing() const { return missing_; }

 private:
  void* library_;
  std::string missing_;
};

void findDevice(Symbols& symbols, Api& api) {
  symbols.find(api.init, "cuInit");
  symbols.find(api.driverGetVersion, "cuDriverGetVersion");
  symbols.find(api.getErrorName, "cuGetErrorName");
  symbols.find(api.getErrorString, "cuGetErrorString");
  symbols.find(api.deviceGetCount, "cuDeviceGetCount");
  symbols.find(api.deviceGet, "cuDeviceGet");
  symbols.find(api.deviceGetName, "cuDeviceGetName");
  symbols.find(api.deviceGetAttribute, "cuDeviceGetAttribute");
  symbols.find(api.deviceTotalMem, "cuDeviceTotalMem_v2");
  symbols.find(api.deviceGetPciBusId, "cuDeviceGetPCIBusId");
  symbols.findOptional(api.deviceGetUuid, "cuDeviceGetUuid");
  symbols.find(api.ctxCreate, "cuCtxCreate_v2");
  symbols.find(api.ctxDestroy, "cuCtxDestroy_v2");
  symbols.find(api.ctxSetCurrent, "cuCtxSetCurrent");
  symbols.find(api.ctxSynchronize, "cuCtxSynchronize");
}

void findMemory(Symbols& symbols, Api& api) {
  symbols.find(api.memGetInfo, "cuMemGetInfo_v2");
  symbols.find(api.memAlloc, "cuMemAlloc_v2");
  symbols.find(api.memFree, "cuMemFree_v2");
  symbols.find(api.memHostAlloc, "cuMemHostAlloc");
  symbols.find(api.memFreeHost, "cuMemFreeHost");
  symbols.find(api.memHostGetDevicePointer, "cuMemHostGetDevicePointer_v2");
  symbols.find(api.memcpyHtoD, "cuMemcpyHtoD_v2");
  symbols.find(api.memcpyDtoH, "cuMemcpyDtoH_v2");
  symbols.find(api.memcpyDtoDAsync, "cuMemcpyDtoDAsync_v2");
  symbols.find(api.memsetD8Async, "cuMemsetD8Async");
  symbols.findOptional(api.memAddressReserve, "cuMemAddressReserve");
  symbols.findOptional(api.memAddressFree, "cuMemAddressFree");
  symbols.findOptional(api.memCreate, "cuMemCreate");
  symbols.findOptional(api.memRelease, "cuMemRelease");
  symbols.findOptional(api.memMap, "cuMemMap");
  symbols.findOptional(api.memUnmap, "cuMemUnmap");
  symbols.findOptional(api.memSetAccess, "cuMemSetAccess");
  symbols.findOptional(api.memGranularity, "cuMemGetAllocationGranularity");
}

void findWork(Symbols& symbols, Api& api) {
  symbols.find(api.moduleLoadDataEx, "cuModuleLoadDataEx");
  symbols.find(api.moduleUnload, "cuModuleUnload");
  symbols.find(api.moduleGetFunction, "cuModuleGetFunction");
  symbols.find(api.moduleGetGlobal, "cuModuleGetGlobal_v2");
  symbols.find(api.funcGetAttribute, "cuFuncGetAttribute");
  symbols.find(api.funcSetAttribute, "cuFuncSetAttribute");
  symbols.find(api.occupancyBlocks, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  symbols.find(api.launchKernel, "cuLaunchKernel");
  symbols.find(api.launchCooperativeKernel, "cuLaunchCooperativeKernel");
  symbols.find(api.streamCreate, "cuStreamCreate");
  symbols.find(api.streamDestroy, "cuStreamDestroy_v2");
  symbols.find(api.streamSynchronize, "cuStreamSynchronize");
  symbols.findOptional(api.streamBeginCapture, "cuStreamBeginCapture_v2");
  symbols.findOptional(api.streamEndCapture, "cuStreamEndCapture");
  symbols.findOptional(api.graphInstantiate, "cuGraphInstantiateWithFlags");
  symbols.findOptional(api.graphUpload, "cuGraphUpload");
  symbols.findOptional(api.graphLaunch, "cuGraphLaunch");
  symbols.findOptional(api.graphExecDestroy, "cuGraphExecDestroy");
  symbols.findOptional(api.graphDestroy, "cuGraphDestroy");
  symbols.find(api.eventCreate, "cuEventCreate");
  symbols.find(api.eventDestroy, "cuEventDestroy_v2");
  symbols.find(api.eventRecord, "cuEventRecord");
  symbols.find(api.eventQuery, "cuEventQuery");
  symbols.find(api.eventElapsedTime, "cuEventElapsedTime");
}

}  // namespace

std::shared_ptr<const Driver> Driver::over(const Api& api) {
  std::shared_ptr<Driver> driver(new Driver());
  driver->api_ = api;
  return driver;
}

Result<std::shared_ptr<const Driver>> Driver::open() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return requestError(
        "This machine has no NVIDIA driver (libcuda.so.1 was not found); use --device simt.");
  }
  std::shared_ptr<Driver> driver(new Driver());
  Symbols symbols(library);
  findDevice(symbols, driver->api_);
  findMemory(symbols, driver->api_);
  findWork(symbols, driver->api_);
  if (!symbols.missing().empty()) {
    return requestError("This NVIDIA driver is too old: it does not have " + symbols.missing() +
                        "; CUDA 11 or newer is needed.");
  }
  if (Status started = driver->check(driver->api_.init(0), "Starting the NVIDIA driver");
      !started) {
    return requestError(started.error().message);
  }
  return std::shared_ptr<const Driver>(std::move(driver));
}

int Driver::versionNumber() const {
  int version = 0;
  return api_.driverGetVersion(&version) == kSuccess ? version : 0;
}

std::string Driver::version() const {
  const int version = versionNumber();
  if (version == 0) return "unknown";
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

unsigned Driver::deviceCount() const {
  int count = 0;
  return api_.deviceGetCount(&count) == kSuccess && count > 0 ? static_cast<unsigned>(count) : 0;
}

Status Driver::check(ApiResult result, const std::string& what) const {
  if (result == kSuccess) return {};
  return workError(what + " failed (the driver says: " + driversWord(*this, result) + ").");
}

}  // namespace tilestep::cuda
