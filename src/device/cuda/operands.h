// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "device/cuda/context.h"
#include "device/device.h"

namespace tilestep::cuda {

/// Filled inputs as they were made, kept on the GPU between jobs: a slider that leaves sizes and
/// seed alone fills nothing again. Holds what the last job used and nothing else.
class FillCache {
 public:
  /// The operand's seeded fill in device memory. Valid until `keepUsed` finds it unused.
  Result<DevicePointer> get(const ContextPtr& context, const device::Operand& operand,
                            uint32_t index, uint64_t seed);
  /// Before a job: nothing is in use. After it: what stayed unused is freed.
  void startJob();
  void keepUsed();
  void clear() { entries_.clear(); }

 private:
  struct Entry {
    uint32_t index;
    uint64_t seed, elements;
    ElementType type;
    Fill fill;
    Memory memory;
    bool used;
  };
  std::vector<Entry> entries_;
};

/// A job's operands in GPU memory and as launch parameters. Inputs are copied from the pristine
/// fill before every run, so that a kernel that writes to one cannot spoil the next run.
class Operands {
 public:
  static Result<Operands> make(const ContextPtr& context, const device::Job& job, FillCache& cache);

  /// Where `module` keeps its constant symbols; call it before `prepare` for every module.
  Status bind(const LoadedModule& module);
  /// Restores inputs, fills outputs with `poison`. Asynchronous.
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
    DevicePointer address = 0;   ///< Of the buffer, or of the symbol in the bound module.
    uint64_t scalar = 0;         ///< Scalars: their bytes.
  };
  Status restore(const Slot& slot, StreamHandle stream) const;

  ContextPtr context_;
  std::vector<Slot> slots_;
};

/// The poison of an output's bytes in the first and in the second run.
constexpr std::byte kFirstPoison{0xa5};
constexpr std::byte kSecondPoison{0x5a};

/// Output elements that still hold both poisons.
uint64_t countUnwritten(const device::Job& job, const std::vector<std::vector<std::byte>>& first,
                        const std::vector<std::vector<std::byte>>& second);

}  // namespace tilestep::cuda
