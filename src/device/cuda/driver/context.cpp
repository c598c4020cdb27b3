// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/driver/context.h"

#include <vector>

#include "base/dim3.h"
#include "base/figure.h"
#include "device/cuda/driver/faults.h"
#include "device/cuda/driver/ptx_version.h"

namespace tilestep::cuda {
namespace {

constexpr uint64_t kMib = uint64_t{1} << 20;  // nvidia-smi's unit.

/// The end of a message about exhausted memory: the free memory, the driver's error, the remedy.
std::string freeAndWhatToDo(const Context& context) {
  size_t left = 0, all = 0;
  const bool known = context.api().memGetInfo(&left, &all) == kSuccess;
  return (known ? ", and " + grouped(left / kMib) + " of " + grouped(all / kMib) + " MiB are free"
                : "") +
         " (the driver says: " + driversWord(context.driver(), kOutOfMemory) +
         "). Choose smaller sizes, end other programs that use the GPU's memory (nvidia-smi lists "
         "them), or run in the interpreter, which uses the host's memory (--device simt).";
}

}  // namespace

Result<ContextPtr> Context::open(std::shared_ptr<const Driver> driver, unsigned ordinal) {
  DeviceOrdinal device = 0;
  const Api& api = driver->api();
  if (Status s = driver->check(api.deviceGet(&device, static_cast<int>(ordinal)), "cuDeviceGet");
      !s) {
    return s.error();
  }
  std::shared_ptr<Context> context(new Context(driver, static_cast<int>(ordinal)));
  if (Status s = context->check(api.ctxCreate(&context->handle_, 0, device),
                                "Opening cuda:" + std::to_string(ordinal));
      !s) {
    context->abandoned_ = true;
    if (s.error().kind == ErrorKind::request) return s.error();  // The GPU's memory is full.
    return workError(
        s.error().message +
        " Another program may have exclusive use of the GPU; see nvidia-smi, or use the "
        "interpreter (--device simt).");
  }
  if (Status s = context->use(); !s) return s.error();
  return context;
}

Context::~Context() {
  if (!abandoned_) static_cast<void>(api().ctxDestroy(handle_));
}

Status Context::check(ApiResult result, const std::string& what) {
  if (fatal_ == kSuccess && isFatal(result)) {
    fatal_ = result;
    abandon();
  }
  if (result == kOutOfMemory) {
    return requestError(what + " failed: the GPU's memory is full" + freeAndWhatToDo(*this));
  }
  return driver_->check(result, what);
}

Status Context::use() {
  return check(api().ctxSetCurrent(handle_), "cuCtxSetCurrent");
}

Result<Stream> makeStream(const ContextPtr& context) {
  StreamHandle handle = nullptr;
  if (Status s = context->check(context->api().streamCreate(&handle, kStreamNonBlocking),
                                "cuStreamCreate");
      !s) {
    return s.error();
  }
  return Stream(context, handle);
}

Result<Event> makeEvent(const ContextPtr& context) {
  EventHandle handle = nullptr;
  if (Status s =
          context->check(context->api().eventCreate(&handle, kEventDefault), "cuEventCreate");
      !s) {
    return s.error();
  }
  return Event(context, handle);
}

Error noRoom(const Context& context, const std::string& what, uint64_t bytes) {
  return requestError("The GPU's memory is too small for " + what + ": " +
                      grouped(ceilDiv(bytes, kMib)) + " MiB are needed" + freeAndWhatToDo(context));
}

Result<Memory> allocate(const ContextPtr& context, uint64_t bytes, const std::string& what) {
  DevicePointer pointer = 0;
  const ApiResult result = context->api().memAlloc(&pointer, bytes == 0 ? 1 : bytes);
  if (result == kOutOfMemory) return noRoom(*context, what, bytes);
  if (Status s = context->check(result, "Allocating " + what); !s) return s.error();
  return Memory(context, pointer);
}

Status copyToGpu(Context& context, DevicePointer to, const void* from, size_t bytes,
                 const std::string& what) {
  if (Status s = context.check(context.api().memcpyHtoD(to, from, bytes), what); !s) return s;
  return context.check(context.api().streamSynchronize(nullptr), what);
}

Result<HostMemory> allocateHost(const ContextPtr& context, uint64_t bytes,
                                const std::string& what) {
  void* pointer = nullptr;
  const ApiResult result = context->api().memHostAlloc(&pointer, bytes, kHostDeviceMap);
  if (result == kOutOfMemory) {
    return workError("The host has no memory for " + what + " that the GPU can access, too.");
  }
  if (Status s = context->check(result, "Allocating " + what); !s) return s.error();
  return HostMemory(context, pointer);
}

namespace {

std::string dotted(int version) {
  return std::to_string(version / 10) + "." + std::to_string(version % 10);
}

/// An explanation if the driver rejected PTX of a newer compiler; else empty.
std::string ofNewerCompiler(const Driver& driver, const std::string& ptx) {
  const int known = ptxVersionOfDriver(driver.versionNumber());
  const int needed = ptxVersionOf(ptx).value_or(0);
  if (needed <= known) return {};
  return " The kernel was compiled to PTX " + dotted(needed) + ", but this driver, of CUDA " +
         driver.version() + ", accepts PTX " + dotted(known) +
         " at most. Install a newer driver, or choose an older compiler with CUDA_HOME.";
}

}  // namespace

Result<LoadedModule> loadModule(const ContextPtr& context, const std::string& ptx,
                                std::string* log) {
  const Driver& driver = context->driver();
  std::vector<char> errors(16384, '\0'), infos(16384, '\0');
  JitOption names[] = {JitOption::errorLogBuffer, JitOption::errorLogBytes,
                       JitOption::infoLogBuffer, JitOption::infoLogBytes, JitOption::logVerbose};
  void* values[] = {errors.data(), reinterpret_cast<void*>(errors.size() - 1), infos.data(),
                    reinterpret_cast<void*>(infos.size() - 1), reinterpret_cast<void*>(1)};
  ModuleHandle handle = nullptr;
  const ApiResult result =
      context->api().moduleLoadDataEx(&handle, ptxForDriver(ptx, driver.versionNumber()).c_str(),
                                      log != nullptr ? 5 : 2, names, values);
  if (Status s = context->check(result, "The driver's compiler"); !s) {
    const std::string text(errors.data());
    return workError(s.error().message + ofNewerCompiler(driver, ptx) +
                     (text.empty() ? "" : " Its log: " + text));
  }
  if (log != nullptr) *log = infos.data();
  return LoadedModule(context, handle);
}

Result<FunctionHandle> findFunction(Context& context, const LoadedModule& module,
                                    const std::string& name) {
  FunctionHandle function = nullptr;
  if (Status s =
          context.check(context.api().moduleGetFunction(&function, module.get(), name.c_str()),
                        "Looking for the entry " + name + " in the module");
      !s) {
    return s.error();
  }
  return function;
}

}  // namespace tilestep::cuda
