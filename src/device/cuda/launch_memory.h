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

/// The memory of a captured launch on a GPU: at the addresses that it had, so that pointers in it
/// hold. Variables of its module are where the driver has them.
class LaunchMemory {
 public:
  /// An Error of the request where there is no room, of the work where it was stopped.
  static Result<LaunchMemory> make(const ContextPtr& context,
                                   std::shared_ptr<const device::CapturedLaunch> launch,
                                   const device::Stop& stop);
  /// The GPU memory that `make` takes: all of it twice, as it was and as the kernel gets it.
  [[nodiscard]] static uint64_t bytesOf(const device::CapturedLaunch& launch);

  /// Where `module` keeps its variables; call it before `restore` for every module.
  Status bind(const LoadedModule& module);
  /// Gives all memory the contents from before the launch, or only what the launch writes.
  /// Asynchronous.
  Status restore(StreamHandle stream, bool onlyWritten) const;
  /// Where a range lies now.
  [[nodiscard]] DevicePointer addressOf(size_t range) const { return pieces_[range].address; }
  /// For cuLaunchKernel; valid while this object lives, is not moved and not bound anew.
  [[nodiscard]] std::vector<void*> parameters();

 private:
  struct Piece {
    const device::MemoryRange* range = nullptr;
    std::unique_ptr<PlacedMemory> placed;  ///< Null: a variable of the module.
    Memory pristine;                       ///< None where all was 0.
    DevicePointer address = 0;             ///< 0: the driver's compiler has left it out.
  };
  Status fill(Piece& piece, const device::Stop& stop) const;

  ContextPtr context_;
  std::shared_ptr<const device::CapturedLaunch> launch_;
  std::vector<Piece> pieces_;  ///< By range.
  std::vector<uint8_t> parameters_;
};

}  // namespace tilestep::cuda
