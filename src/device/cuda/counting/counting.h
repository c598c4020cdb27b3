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

/// The loaded entry of kernels/probes/count.cu that maps equal signatures to equal keys. It is the
/// same for all kernels, so a device keeps it across jobs.
struct Classifier {
  std::shared_ptr<const ptx::Module> probes;  ///< The loaded module; null if there is none yet.
  LoadedModule module;
  FunctionHandle function = nullptr;
};

/// A job's launches, rewritten for counting and loaded on a GPU, with their counting buffers.
class CountingProgram : public CountingMachine {
 public:
  /// Rewrites the job's module for counting and loads it. Limits the registers per thread to the
  /// allocation of `plain`, the uninstrumented program. Loads `classifier` if it was made from
  /// other probes. `execution`, `operands` and `classifier` must outlive this.
  static Result<std::unique_ptr<CountingProgram>> load(Execution& execution, Operands& operands,
                                                       const device::Job& job,
                                                       const device::DeviceInfo& info,
                                                       const Program& plain,
                                                       Classifier& classifier);

  /// Counts the job. Waits for the GPU.
  Result<GridCount> run();
  /// The times of all launches made for counting.
  [[nodiscard]] Result<std::vector<double>> launchMs() const;
  /// Runs the launches that write signatures once more, and returns their outputs. Waits for the
  /// GPU.
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
  Status limitMemory();
  Status drawFactors();
  /// GPU memory that is kept across runs and grows as needed.
  struct Area {
    Memory memory;
    uint64_t bytes = 0;
    [[nodiscard]] DevicePointer get() const { return memory.get(); }
  };
  /// Grows an area to at least `bytes`. Its contents may be lost. `what` names it in errors.
  Status reserve(Area& area, uint64_t bytes, const std::string& what);
  Status fill(Area& area, const void* from, uint64_t bytes, const std::string& what);
  Status clear(const Area& area, uint64_t bytes, const std::string& what);
  Status timed(const std::function<Status()>& launch);

  ContextPtr context_;
  Execution& execution_;
  Operands& operands_;
  Classifier& classifier_;
  std::vector<CountedLaunch> launches_;
  ptx::Counting counting_;
  Program program_;  ///< The launches that write signatures, then those that log.
  uint64_t signatureBytes_ = 0, logBytes_ = 0;
  Area signatures_, kinds_, factors_, keys_;  ///< Buffers of the classifier.
  Area places_, exemplars_, ends_, log_;      ///< Buffers of the launches that log.
  std::vector<uint64_t> rooms_;               ///< Words per lane, by exemplar of the last `log`.
  std::vector<std::array<Event, 2>> timed_;   ///< Events before and after each launch.
};

}  // namespace tilestep::cuda
