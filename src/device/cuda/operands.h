// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "device/cuda/driver/context.h"
#include "device/cuda/launch_memory.h"
#include "device/cuda/module_variables.h"
#include "device/device.h"
#include "device/stop.h"

namespace tilestep::cuda {

/// Pristine filled inputs, kept on the GPU between jobs, so that a slider that does not change
/// sizes or seed fills nothing again. Holds only what the last job used.
class FillCache {
 public:
  /// Where the operand's seeded fill lies in device memory, or will after `fill`. Valid until
  /// `keepUsed` finds it unused. An Error of the request where there is no room.
  Result<DevicePointer> reserve(const ContextPtr& context, const device::Operand& operand,
                                uint32_t index, uint64_t seed);
  /// Fills what was reserved and is not filled yet. An Error of the work where it was stopped.
  Status fill(Context& context, const device::Stop& stop);
  /// Before a job: nothing is in use. After it: what stayed unused is freed.
  void startJob();
  void keepUsed();
  void clear() { entries_.clear(); }

 private:
  struct Entry {
    device::Operand operand;
    uint32_t index;
    uint64_t seed;
    Memory memory;
    bool used, filled;
  };
  std::vector<Entry> entries_;
};

/// A job's operands in GPU memory and as launch parameters. Those of a captured launch are parts of
/// its memory. Inputs are copied from the pristine
/// fill before every run, so that a kernel that writes to one cannot spoil the next run.
class Operands {
 public:
  /// An Error of the request where the GPU has no room for them, of the work where it was stopped.
  static Result<Operands> make(const ContextPtr& context, const device::Job& job, FillCache& cache,
                               const device::Stop& stop = device::Stop());
  /// The GPU memory that `make` takes. Inputs count twice: as they were filled and as the kernel
  /// gets them.
  [[nodiscard]] static uint64_t bytesOf(const device::Job& job);

  /// Where `module` keeps its constant symbols and variables; call it before `prepare` for every
  /// module.
  Status bind(const LoadedModule& module);
  /// Restores inputs and the module's variables, fills outputs with `poison`. Asynchronous.
  Status prepare(StreamHandle stream, std::byte poison);
  /// Restores what the kernel both reads and writes. Asynchronous.
  Status restoreInout(StreamHandle stream);
  [[nodiscard]] bool hasInout() const;
  /// Where operand `index` lies on the GPU; 0 for a scalar.
  [[nodiscard]] DevicePointer addressOf(size_t index) const { return slots_[index].address; }
  /// For cuLaunchKernel; valid while this object lives and is not moved.
  [[nodiscard]] std::vector<void*> parameters();
  /// By operand; empty for inputs and scalars. Waits for nothing: synchronise first.
  Result<std::vector<std::vector<std::byte>>> outputs() const;

 private:
  struct Slot {
    const device::Operand* operand = nullptr;
    Memory memory;               ///< Buffers.
    DevicePointer pristine = 0;  ///< Inputs.
    DevicePointer address = 0;   ///< The buffer's, or the symbol's in the bound module.
    uint64_t scalar = 0;         ///< Scalars: their bytes.
    std::vector<std::byte> structure;
  };
  Status restore(const Slot& slot, StreamHandle stream) const;

  ContextPtr context_;
  std::vector<Slot> slots_;
  ModuleVariables variables_;
  std::unique_ptr<LaunchMemory> launch_;  ///< Of a captured launch; else null.
};

/// The poison of an output's bytes in the first and in the second run.
constexpr std::byte kFirstPoison = device::kPoison;
constexpr std::byte kSecondPoison{0x5a};

/// Output elements that still hold both poisons.
uint64_t countUnwritten(const device::Job& job, const std::vector<std::vector<std::byte>>& first,
                        const std::vector<std::vector<std::byte>>& second);

}  // namespace tilestep::cuda
