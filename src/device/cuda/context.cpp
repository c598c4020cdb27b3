// SPDX-License-Identifier: Apache-2.0
#include "device/cuda/context.h"

#include <vector>

#include "base/figure.h"

namespace tilestep::cuda {

Result<ContextPtr> Context::open(std::shared_ptr<const Driver> driver, unsigned ordinal) {
  DeviceOrdinal device = 0;
  const Api& api = driver->api();
  if (Status s = driver->check(api.deviceGet(&device, static_cast<int>(ordinal)), "cuDeviceGet");
      !s) {
    return s.error();
  }
  std::shared_ptr<Context> context(new Context(driver));
  if (Status s = context->check(api.ctxCreate(&context->handle_, 0, device),
                                "Opening cuda:" + std::to_string(ordinal));
      !s) {
    context->abandoned_ = true;
    return s.error();
  }
  if (Status s = context->use(); !s) return s.error();
  return context;
}

Context::~Context() {
  if (!abandoned_) static_cast<void>(api().ctxDestroy(handle_));
}

Status Context::use() const {
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

Result<Memory> allocate(const ContextPtr& context, uint64_t bytes, const std::string& what) {
  DevicePointer pointer = 0;
  const ApiResult result = context->api().memAlloc(&pointer, bytes == 0 ? 1 : bytes);
  if (result == kOutOfMemory) {
    return requestError("The GPU has no room for " + what + " (" + grouped(bytes) +
                        " bytes); take smaller sizes.");
  }
  if (Status s = context->check(result, "Allocating " + what); !s) return s.error();
  return Memory(context, pointer);
}

Result<LoadedModule> loadModule(const ContextPtr& context, const std::string& ptx) {
  std::vector<char> log(16384, '\0');
  JitOption names[] = {JitOption::errorLogBuffer, JitOption::errorLogBytes};
  void* values[] = {log.data(), reinterpret_cast<void*>(log.size() - 1)};
  ModuleHandle handle = nullptr;
  const ApiResult result = context->api().moduleLoadDataEx(&handle, ptx.c_str(), 2, names, values);
  if (Status s = context->check(result, "The driver's compiler"); !s) {
    const std::string text(log.data());
    return workError(s.error().message + (text.empty() ? "" : " It said: " + text));
  }
  return LoadedModule(context, handle);
}

Result<FunctionHandle> findFunction(const Context& context, const LoadedModule& module,
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
