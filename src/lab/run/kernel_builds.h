// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "compile/compiler.h"
#include "compile/kernel.h"
#include "device/stop.h"
#include "lab/experiment.h"

namespace tilestep::lab {

/// Compiles kernels for runs, within a run's remaining time. For one thread.
class KernelBuilds {
 public:
  using Build = std::shared_ptr<const compile::Compiled>;

  explicit KernelBuilds(const compile::CompileService::Options& options)
      : home_(options.home), compiler_(options) {}

  /// The request to compile the kernel for `arch` ("compute_75"). `memoryBytes` is the run's limit;
  /// 0 for no limit.
  [[nodiscard]] static compile::CompileRequest requestFor(const Experiment& experiment,
                                                          const compile::Plan& plan,
                                                          const std::string& arch,
                                                          uint64_t memoryBytes);
  /// Errors: compiler errors; stopped.
  Result<Build> make(compile::CompileRequest request, const device::Stop& stop);
  /// Compiles kernels/probes/NAME.cu. Errors: as make(), and an unreadable file.
  Result<Build> probe(const std::string& name, const std::string& arch, bool relocatable,
                      const device::Stop& stop);
  /// The compiler in use, or why there is none.
  [[nodiscard]] Result<std::string> description() const { return compiler_.description(); }

 private:
  std::string home_;
  compile::CompileService compiler_;
};

}  // namespace tilestep::lab
