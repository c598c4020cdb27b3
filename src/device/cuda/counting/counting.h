// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "device/cuda/counting/grid_counts.h"
#include "device/cuda/driver/program.h"
#include "device/cuda/execution.h"
#include "device/cuda/operands.h"

namespace tilestep::cuda {

/// The entry that classifies warps. It is the same for all kernels, so a device keeps it.
struct Classifier {
  std::shared_ptr<const ptx::Module> probes;  ///< Those that it was made of.
  LoadedModule module;
  FunctionHandle function = nullptr;
};

/// A job's counting program on the GPU, and the memory that it writes into.
class CountingProgram : public CountingMachine {
 public:
  /// Rewrites the job's module and loads it. Needs the job's probes. `plain` is the program that
  /// does not count. `classifier` is made where it is not that of the job's probes. `execution`,
  /// `operands` and `classifier` must outlive this.
  static Result<std::unique_ptr<CountingProgram>> load(Execution& execution, Operands& operands,
                                                       const device::Job& job,
                                                       const device::DeviceInfo& info,
                                                       const Program& plain,
                                                       Classifier& classifier);

  /// Counts the job. Waits.
  Result<GridCount> run();
  /// The time that each launch of `run` took.
  [[nodiscard]] Result<std::vector<double>> launchMs() const;
  /// The operands as the program that signs leaves them, which runs once more. Waits.
  Result<std::vector<std::vector<std::byte>>> outputs();

  [[nodiscard]] uint64_t signatureBytes() const override { return signatureBytes_; }
  [[nodiscard]] uint64_t logBytes() const override { return logBytes_; }
  Status restart() override;
  Status sign(size_t launch, uint32_t first, uint32_t blocks) override;
  Result<std::vector<uint64_t>> keys(size_t launch, uint64_t warps) override;
  Status log(size_t launch, const std::vector<uint32_t>& places,
             const std::vector<uint64_t>& rooms) override;
  Result<std::vector<WarpLog>> logs() override;

 private:
  CountingProgram(Execution& execution, Operands& operands, Classifier& classifier)
      : context_(execution.context()),
        execution_(execution),
        operands_(operands),
        classifier_(classifier) {}
  Status loadProgram(const device::Job& job, const device::DeviceInfo& info);
  Status loadClassifier(const device::Job& job);
  Status makeMemory();
  Status drawFactors();
  /// Grows `memory` to at least so many bytes.
  Status reserve(Memory& memory, uint64_t& has, uint64_t bytes, const std::string& what);
  Status timed(const std::function<Status()>& launch);

  ContextPtr context_;
  Execution& execution_;
  Operands& operands_;
  Classifier& classifier_;
  std::vector<CountedLaunch> launches_;
  ptx::Counting counting_;
  Program program_;  ///< The launches that sign, then those that log.
  Memory signatures_, factors_, kinds_, keys_, log_, places_, rooms_, ends_;
  uint64_t signatureBytes_ = 0, logBytes_ = 0;
  uint64_t signaturesHas_ = 0, keysHas_ = 0, logHas_ = 0, placesHas_ = 0, roomsHas_ = 0,
           endsHas_ = 0;
  std::vector<uint64_t> logRooms_;  ///< Of the last log, by exemplar.
  std::vector<std::array<Event, 2>> timed_;
};

}  // namespace tilestep::cuda
