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

/// Pristine filled inputs, kept on the GPU between jobs, so that moving a slider without changing
/// sizes or seed needs no new fill. Holds only what the last job used.
class FillCache {
 public:
  /// The device address of the operand's seeded fill. A new fill is written by fill(). The address
  /// is valid until keepUsed() frees it as unused. Out of memory is an Error of kind request.
  Result<DevicePointer> reserve(const ContextPtr& context, const device::Operand& operand,
                                uint32_t index, uint64_t seed);
  /// Fills the reserved operands that are not filled yet. An Error of kind work if stopped.
  Status fill(Context& context, const device::Stop& stop);
  /// startJob() must be called before a job and marks everything unused. keepUsed() must be called
  /// after the job and frees everything still unused.
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

/// A job's operands in GPU memory and as launch parameters. A captured launch's operands are parts
/// of its memory. Inputs are copied from the pristine fill before every run, so that a kernel that
/// overwrites an input does not affect the next run.
class Operands {
 public:
  /// Errors: out of GPU memory (kind request); stopped (kind work).
  static Result<Operands> make(const ContextPtr& context, const device::Job& job, FillCache& cache,
                               const device::Stop& stop = device::Stop());
  /// The GPU memory that make() needs. Inputs count twice: the pristine fill and the kernel's copy.
  [[nodiscard]] static uint64_t bytesOf(const device::Job& job);

  /// Finds the constant symbols and variables of `module`. Call it for every module before
  /// prepare().
  Status bind(const LoadedModule& module);
  /// Restores inputs and the module's variables, and fills outputs with `poison`. Asynchronous.
  Status prepare(StreamHandle stream, std::byte poison);
  /// Restores the operands that the kernel both reads and writes. Asynchronous.
  Status restoreInout(StreamHandle stream);
  [[nodiscard]] bool hasInout() const;
  /// The address of operand `index` on the GPU; 0 for a scalar.
  [[nodiscard]] DevicePointer addressOf(size_t index) const { return slots_[index].address; }
  /// For cuLaunchKernel; valid until this object is destroyed or moved.
  [[nodiscard]] std::vector<void*> parameters();
  /// By operand; empty for inputs and scalars. Does not wait: synchronise first.
  Result<std::vector<std::vector<std::byte>>> outputs() const;

 private:
  struct Slot {
    const device::Operand* operand = nullptr;
    Memory memory;               ///< For buffers.
    DevicePointer pristine = 0;  ///< For inputs.
    DevicePointer address = 0;   ///< The buffer's, or the symbol's in the bound module.
    uint64_t scalar = 0;         ///< For scalars: their bytes.
    std::vector<std::byte> structure;
  };
  Status restore(const Slot& slot, StreamHandle stream) const;

  ContextPtr context_;
  std::vector<Slot> slots_;
  ModuleVariables variables_;
  std::unique_ptr<LaunchMemory> launch_;  ///< For a captured launch; else null.
};

/// The poison bytes of outputs in the first and in the second run.
constexpr std::byte kFirstPoison = device::kPoison;
constexpr std::byte kSecondPoison{0x5a};

/// The number of output elements that hold the poison of both runs.
uint64_t countUnwritten(const device::Job& job, const std::vector<std::vector<std::byte>>& first,
                        const std::vector<std::vector<std::byte>>& second);

}  // namespace tilestep::cuda
