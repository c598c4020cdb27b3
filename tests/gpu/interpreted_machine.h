// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "device/cuda/counting/grid_counts.h"
#include "gpu/interpreted_operands.h"

namespace tilestep::test {

/// Runs counting programs in the interpreter instead of a GPU.
class InterpretedMachine : public cuda::CountingMachine {
 public:
  struct Room {
    uint64_t signatureBytes = uint64_t{1} << 28, logBytes = uint64_t{1} << 28;
  };
  /// The job and the counting program must outlive this.
  InterpretedMachine(const device::Job& job, const ptx::Counting& counting,
                     InterpretedOperands operands, const Room& room);

  [[nodiscard]] uint64_t signatureBytes() const override { return room_.signatureBytes; }
  [[nodiscard]] uint64_t logBytes() const override { return room_.logBytes; }
  Status restart() override;
  Status sign(size_t launch, uint32_t first, uint32_t blocks) override;
  Result<std::vector<uint64_t>> keys(size_t launch, uint64_t warps) override;
  Status log(size_t launch, const std::vector<uint32_t>& places,
             const std::vector<uint64_t>& rooms) override;
  Result<std::vector<cuda::WarpLog>> logs() override;

 private:
  [[nodiscard]] const ptx::SignatureLayout& layoutOf(size_t launch) const;
  [[nodiscard]] simt::GridRequest request(const std::string& entry, size_t launch);
  Status run(simt::GridRequest& request);

  const device::Job& job_;
  const ptx::Counting& counting_;
  const ptx::Module program_, classifier_;
  const InterpretedOperands initial_;
  const Room room_;
  InterpretedOperands operands_;
  Bytes multipliers_, factors_, signatures_, log_, ends_;
  uint64_t logAt_ = 0;
  std::vector<uint64_t> rooms_;
};

/// Counts the job's launches on such a machine. If `mayLeaveOut`, the last launch may skip blocks.
Result<cuda::GridCount> countInterpreted(const device::Job& job,
                                         const InterpretedOperands& operands,
                                         bool mayLeaveOut = true,
                                         const InterpretedMachine::Room& room = {});

/// Expects that counting the job by classes of warps gives the interpreter's counts of the plain
/// program, with much and with little memory, and uses at most `mostClasses` classes.
void expectInterpretersCounts(const device::Job& job, InterpretedOperands operands,
                              uint64_t mostClasses);

}  // namespace tilestep::test
