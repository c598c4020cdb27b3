// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "compile/compiler.h"
#include "device/device.h"
#include "support/gpu_there.h"
#include "support/skips.h"

namespace tilestep::test {

/// Compiles and plans kernels as the program does, for tests on a device.
class JobMaker {
 public:
  JobMaker();

  /// A kernel of kernels/ by name; an Error fails the calling test.
  Result<device::Job> shipped(const std::string& kernel, const compile::Bindings& sizes,
                              const compile::Bindings& tunables, const Limits& limits);
  /// From its front matter.
  static Result<compile::KernelSpec> spec(const std::string& kernel);
  /// A kernel given as text with front matter.
  Result<device::Job> fromText(const std::string& text, const compile::Bindings& sizes);
  /// A kernel given as PTX, whose parameters are the buffers M, N and P of `elements` zeros each.
  Result<device::Job> fromPtx(const std::string& text, const Launch& launch, uint64_t elements);
  /// PTX of kernels/probes/NAME.cu.
  Result<std::shared_ptr<const compile::Compiled>> probe(const std::string& name, bool relocatable);
  /// Compiles without a plan.
  Result<std::shared_ptr<const compile::Compiled>> compile(const compile::KernelSource& source,
                                                           const compile::Bindings& tunables,
                                                           const std::string& arch = {});

 private:
  Result<device::Job> make(const compile::KernelSource& source, const compile::Bindings& sizes,
                           const compile::Bindings& tunables, const Limits& limits);
  compile::CompileService service_;
};

/// The folder that contains kernels/: above this program, even if it was built elsewhere.
std::string homeFolder();

/// A kernel `test` with `body` on P[n] (out) and n = 1000, in blocks of 32.
std::string kernelText(const std::string& body);

/// The first GPU; nullptr if it does not open, so that TILESTEP_NEED_GPU reports why.
std::unique_ptr<device::Device> openFirstGpu();

/// The error of opening the first GPU; empty if it opens.
std::string gpuTrouble();

/// Skips the test if this machine may not provide hardware counters, and fails it otherwise. `why`
/// is the device's reason.
void skipRefused(const std::string& why);

}  // namespace tilestep::test

/// Skips the test if there is no GPU, and fails it if there is one that does not open.
#define TILESTEP_NEED_GPU(gpu)                                                          \
  if ((gpu) == nullptr) {                                                               \
    if (const auto why = tilestep::support::whyNoGpu()) {                               \
      GTEST_SKIP() << tilestep::support::because(tilestep::support::kNoGpu, *why);      \
    }                                                                                   \
    FAIL() << "there is a GPU, and it does not open: " << tilestep::test::gpuTrouble(); \
  }

/// Skips the test if there is no GPU.
#define TILESTEP_SKIP_WITHOUT_GPU()                                              \
  if (const auto why = tilestep::support::whyNoGpu()) {                          \
    GTEST_SKIP() << tilestep::support::because(tilestep::support::kNoGpu, *why); \
  }
