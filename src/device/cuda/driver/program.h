// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/cuda/driver/context.h"
#include "device/cuda/driver/cublas.h"
#include "device/device.h"

namespace tilestep::cuda {

/// A module as machine code, ready for a job's launches.
class Program {
 public:
  /// Compiles `ptx`, finds every launch's entry, and opts in to large dynamic shared memory. The
  /// Error names the limit of the machine code that a launch exceeds.
  static Result<Program> load(const ContextPtr& context, const std::string& ptx,
                              const std::vector<Launch>& launches, const device::DeviceInfo& info);

  /// A library's product, which has no module and no facts about machine code.
  static Program ofLibrary(std::shared_ptr<cublas::Handle> handle, cublas::Product product);
  [[nodiscard]] bool isLibrary() const { return library_ != nullptr; }

  /// All launches in order. Asynchronous.
  Status launch(StreamHandle stream, std::vector<void*>& parameters) const;
  /// Enqueues one launch, which may have more parameters than the others. Asynchronous.
  Status launchOne(size_t index, StreamHandle stream, std::vector<void*>& parameters) const;
  /// An upper bound; a library does not report its number of launches.
  [[nodiscard]] uint32_t launchCount() const {
    constexpr uint32_t kOfLibrary = 4;
    return isLibrary() ? kOfLibrary : static_cast<uint32_t>(launches_.size());
  }
  /// The first launch alone, or a library's whole product. Asynchronous.
  Status launchFirst(StreamHandle stream, std::vector<void*>& parameters) const;
  [[nodiscard]] const LoadedModule& module() const { return module_; }
  /// registers() and localBytes() describe the first launch's entry.
  [[nodiscard]] uint32_t registers() const { return registers_; }
  [[nodiscard]] uint32_t localBytes() const { return localBytes_; }
  [[nodiscard]] uint32_t sharedBytes() const { return sharedBytes_; }
  [[nodiscard]] const device::MachineFacts& machine() const { return machine_; }

 private:
  Status add(const Launch& launch, const device::DeviceInfo& info);
  Status checkCooperative(const Launch& launch, FunctionHandle function,
                          const device::DeviceInfo& info) const;
  Status tellOccupancy(const device::DeviceInfo& info);

  ContextPtr context_;
  LoadedModule module_;
  std::vector<Launch> launches_;
  std::vector<FunctionHandle> functions_;
  uint32_t registers_ = 0, localBytes_ = 0, sharedBytes_ = 0;
  device::MachineFacts machine_;
  std::shared_ptr<cublas::Handle> library_;
  cublas::Product product_;
};

}  // namespace tilestep::cuda
