// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compile/kernel.h"
#include "ptx/ir.h"

/// Entries as front matter names them: a function such as `saxpy`, or a template instance such as
/// `reduce<BLOCK>`, whose arguments may contain tunables.
namespace tilestep::compile {

/// Whether `entry` is a name with optional namespaces and template arguments.
[[nodiscard]] bool isEntryName(std::string_view entry);

/// The entry's name in the compiled module; the same name if it is an identifier.
[[nodiscard]] std::string moduleNameOf(std::string_view entry);

/// The error for a file with several functions that have the entry's name and different parameters.
[[nodiscard]] Error overloadedEntry(const std::string& entry);

/// A template instance that a kernel launches.
struct Instance {
  std::string entry;       ///< As written in the front matter.
  std::string expression;  ///< With the values of the tunables: "reduce<256>".
  int line = 0;            ///< The line of the entry's name; 0 if unknown.
};

/// The kernel's entries that are template instances; empty if the front matter is invalid.
[[nodiscard]] std::vector<Instance> instancesOf(const KernelSource& source,
                                                const Bindings& tunables);

/// Renames the functions of the instances to moduleNameOf() their entries. Fails if an instance is
/// missing or indistinguishable from another. `path` is the kernel's file, for errors.
Status nameInstances(ptx::Module& module, const std::vector<Instance>& instances,
                     const std::string& path);

}  // namespace tilestep::compile
