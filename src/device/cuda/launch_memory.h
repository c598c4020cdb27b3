// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "device/captured.h"
#include "device/cuda/driver/context.h"
#include "device/cuda/placed_memory.h"
#include "device/stop.h"

namespace tilestep::cuda {

/// The memory of a captured launch on a GPU, at its original addresses, so that pointers into it
/// stay valid. The driver chooses the addresses of the module's variables.
class LaunchMemory {
 public:
  /// Errors: out of memory (kind request); stopped (kind work).
  static Result<LaunchMemory> make(const ContextPtr& context,
                                   std::shared_ptr<const device::CapturedLaunch> launch,
                                   const device::Stop& stop);
  /// The GPU memory that make() needs: two copies, the original contents and the kernel's.
  [[nodiscard]] static uint64_t bytesOf(const device::CapturedLaunch& launch);

  /// Finds the variables of `module`. Call it for every module before restore().
  Status bind(const LoadedModule& module);
  /// Restores the contents from before the launch, of all memory or only of what the launch writes.
  /// Asynchronous.
  Status restore(StreamHandle stream, bool onlyWritten) const;
  /// The current address of a range.
  [[nodiscard]] DevicePointer addressOf(size_t range) const { return pieces_[range].address; }
  /// For cuLaunchKernel; valid until this object is destroyed, moved or bound again.
  [[nodiscard]] std::vector<void*> parameters();

 private:
  struct Piece {
    const device::MemoryRange* range = nullptr;
    std::unique_ptr<PlacedMemory> placed;  ///< Null for a variable of the module.
    Memory pristine;                       ///< Empty if all bytes were 0.
    DevicePointer address = 0;             ///< 0 if the driver's compiler removed the variable.
  };
  Status fill(Piece& piece, const device::Stop& stop) const;

  ContextPtr context_;
  std::shared_ptr<const device::CapturedLaunch> launch_;
  std::vector<Piece> pieces_;  ///< By range.
  std::vector<uint8_t> parameters_;
};

}  // namespace tilestep::cuda
