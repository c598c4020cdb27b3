// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/compiler.h"
#include "device/device.h"
#include "simt/grid.h"

/// Kernels of kernels/ and tests/corpus/, ready to run in the interpreter again and again.
namespace tilestep::bench {

/// A kernel and the sizes it starts from: the defaults of its front matter, or the last line of
/// tests/corpus/cases.txt.
struct Kernel {
  std::string name;
  compile::KernelSpec spec;
  compile::Bindings sizes;
  std::shared_ptr<const compile::Compiled> compiled;
};

/// Every kernel that this machine's compiler takes; what it refuses is told on standard error.
[[nodiscard]] std::vector<Kernel> allKernels();

/// What a run is to do beside running.
enum class Mode : uint8_t { plain, counters, check, trace };
[[nodiscard]] const char* nameOf(Mode mode);

/// The launches of one kernel on operands of their own, on one thread.
class Runnable {
 public:
  static Result<std::unique_ptr<Runnable>> make(const Kernel& kernel,
                                                const compile::Bindings& sizes);

  /// Seconds of processor time of all launches, once decoded, on operands as they were filled.
  /// `faults`, where given, is set to how many there were.
  double run(Mode mode, size_t* faults = nullptr);
  /// Makes all launches ready to run, and runs none.
  void decode(Mode mode);
  /// Of all launches.
  [[nodiscard]] uint64_t threadInstructions();

 private:
  explicit Runnable(device::Job job);
  void restore();
  [[nodiscard]] simt::GridRequest requestOf(size_t launch, Mode mode) const;
  simt::GridResult runLaunches(Mode mode, double& seconds);

  device::Job job_;
  std::vector<std::vector<std::byte>> filled_, memory_;
  std::vector<std::vector<uint8_t>> shadows_;
  std::vector<simt::Buffer> buffers_;
  std::vector<uint64_t> parameters_;
};

/// A kernel with its sizes doubled until a run executes `least` thread instructions or it takes no
/// more.
struct Sized {
  std::unique_ptr<Runnable> runnable;
  std::string sizes;  ///< "n=262144"
  uint64_t threadInstructions = 0;
};
[[nodiscard]] Result<Sized> sized(const Kernel& kernel, uint64_t least);

/// Processor time of this process, seconds.
[[nodiscard]] double processorSeconds();

}  // namespace tilestep::bench
