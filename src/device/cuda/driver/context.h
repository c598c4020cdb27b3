// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "device/cuda/driver/driver.h"

/// Move-only owners of the driver's resources. Every owner keeps its context alive. Once the
/// context is abandoned, nothing is freed, because freeing would wait for work that never ends.
namespace tilestep::cuda {

class Context {
 public:
  static Result<std::shared_ptr<Context>> open(std::shared_ptr<const Driver> driver,
                                               unsigned ordinal);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] const Driver& driver() const { return *driver_; }
  [[nodiscard]] const Api& api() const { return driver_->api(); }
  [[nodiscard]] int ordinal() const { return ordinal_; }
  /// Must be called on every result. The first fatal result abandons the context and is remembered.
  /// Any call may return it, because a kernel's fault is reported by the next call of any kind.
  /// Running out of memory is an Error of kind request.
  [[nodiscard]] Status check(ApiResult result, const std::string& what);
  /// The fatal result that ended this context; kSuccess if there was none.
  [[nodiscard]] ApiResult fatal() const { return fatal_; }
  [[nodiscard]] ContextHandle handle() const { return handle_; }
  /// Makes this context current on the calling thread.
  [[nodiscard]] Status use();
  /// Stops releasing anything through the driver: after a fault every call on a context fails, and
  /// after a timeout every call blocks. The end of the process releases everything.
  void abandon() { abandoned_ = true; }
  [[nodiscard]] bool abandoned() const { return abandoned_; }

 private:
  Context(std::shared_ptr<const Driver> driver, int ordinal)
      : driver_(std::move(driver)), ordinal_(ordinal) {}
  std::shared_ptr<const Driver> driver_;
  int ordinal_;  ///< The GPU's ordinal.
  ContextHandle handle_ = nullptr;
  ApiResult fatal_ = kSuccess;
  bool abandoned_ = false;
};
using ContextPtr = std::shared_ptr<Context>;

/// Owns one handle and releases it.
template <class Handle, auto Member>
class Owned {
 public:
  Owned() = default;
  Owned(ContextPtr context, Handle handle) : context_(std::move(context)), handle_(handle) {}
  Owned(Owned&& other) noexcept
      : context_(std::move(other.context_)), handle_(std::exchange(other.handle_, Handle{})) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() {
    // A destructor cannot report an error; the next checked call reports it again.
    if (context_ && handle_ != Handle{} && !context_->abandoned()) {
      static_cast<void>((context_->api().*Member)(handle_));
    }
  }
  [[nodiscard]] Handle get() const { return handle_; }

 private:
  ContextPtr context_;
  Handle handle_{};
};

using Stream = Owned<StreamHandle, &Api::streamDestroy>;
using Event = Owned<EventHandle, &Api::eventDestroy>;
using LoadedModule = Owned<ModuleHandle, &Api::moduleUnload>;
using Memory = Owned<DevicePointer, &Api::memFree>;
using Graph = Owned<GraphHandle, &Api::graphDestroy>;
using GraphExec = Owned<GraphExecHandle, &Api::graphExecDestroy>;
using HostMemory = Owned<void*, &Api::memFreeHost>;

Result<Stream> makeStream(const ContextPtr& context);
Result<Event> makeEvent(const ContextPtr& context);
/// Allocates at least one byte, so that an empty operand has an address too. Out of memory is an
/// Error of kind request (`noRoom`).
Result<Memory> allocate(const ContextPtr& context, uint64_t bytes, const std::string& what);
/// The error for exhausted memory: how much `what` needs and how much is free.
[[nodiscard]] Error noRoom(const Context& context, const std::string& what, uint64_t bytes);
/// Copies to the GPU and waits until the copy is complete, because cuMemcpyHtoD may return earlier
/// and the streams of `makeStream` do not wait for it.
Status copyToGpu(Context& context, DevicePointer to, const void* from, size_t bytes,
                 const std::string& what);
/// Host memory that is mapped for the GPU.
Result<HostMemory> allocateHost(const ContextPtr& context, uint64_t bytes, const std::string& what);
/// Compiles PTX to machine code by the driver. The compiler's log is in the Error, or in `log` on
/// success. PTX newer than the driver is lowered first (ptx_version.h).
Result<LoadedModule> loadModule(const ContextPtr& context, const std::string& ptx,
                                std::string* log = nullptr);
Result<FunctionHandle> findFunction(Context& context, const LoadedModule& module,
                                    const std::string& name);

}  // namespace tilestep::cuda
