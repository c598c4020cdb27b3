// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "device/cuda/driver/context.h"
#include "ptx/ir.h"

namespace tilestep::cuda {

/// The `__device__` variables of a module. They keep what a launch writes into them, but every run
/// of a job is to find what the module's text gives them, as the first launch after loading does:
/// a kernel whose last block finds a full counter would otherwise do other work in each run.
class ModuleVariables {
 public:
  /// Those of `module`, which may be null, without the names in `others`: those are operands.
  static ModuleVariables of(std::shared_ptr<const ptx::Module> module,
                            const std::set<std::string>& others);

  /// Where `loaded` keeps them. One that the driver's compiler left out is left alone.
  Status bind(const ContextPtr& context, const LoadedModule& loaded);
  /// Gives them their first values. Asynchronous. Only after `bind`.
  Status restore(Context& context, StreamHandle stream) const;

 private:
  struct Entry {
    const ptx::Variable* variable = nullptr;
    Memory first;               ///< A copy of the first values; none where all are 0.
    DevicePointer address = 0;  ///< In the bound module; 0: it has none.
  };
  std::shared_ptr<const ptx::Module> module_;  ///< Keeps the variables.
  std::vector<Entry> entries_;
};

}  // namespace tilestep::cuda
