// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "device/cuda/driver/context.h"
#include "ptx/ir.h"

namespace tilestep::cuda {

/// The `__device__` variables of a module. They keep the values that a launch writes, but every run
/// of a job must start from the module's initial values. Otherwise, a kernel that counts finished
/// blocks would find a full counter and do different work in each run.
class ModuleVariables {
 public:
  /// The variables of `module`, which may be null, except the operands, whose names are in
  /// `others`.
  static ModuleVariables of(std::shared_ptr<const ptx::Module> module,
                            const std::set<std::string>& others);

  /// Finds the variables in `loaded`. Variables that the driver's compiler removed are ignored.
  Status bind(const ContextPtr& context, const LoadedModule& loaded);
  /// Restores their initial values. Asynchronous. Call bind() first.
  Status restore(Context& context, StreamHandle stream) const;

 private:
  struct Entry {
    const ptx::Variable* variable = nullptr;
    Memory first;               ///< A copy of the initial values; empty if all are 0.
    DevicePointer address = 0;  ///< In the bound module; 0 if removed.
  };
  std::shared_ptr<const ptx::Module> module_;  ///< Owns the variables.
  std::vector<Entry> entries_;
};

}  // namespace tilestep::cuda
