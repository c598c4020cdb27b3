// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compile/kernel.h"
#include "ptx/ir.h"

/// Entries as front matter names them: `saxpy`, or a template instance, `reduce<BLOCK>`, which may
/// have tunables among its arguments.
namespace tilestep::compile {

/// Whether it is a name with optional namespaces and template arguments.
[[nodiscard]] bool isEntryName(std::string_view entry);

/// The entry's name in the compiled module: unchanged if it is an identifier.
[[nodiscard]] std::string moduleNameOf(std::string_view entry);

/// The error that a file has several functions with the entry's name and different parameters.
[[nodiscard]] Error overloadedEntry(const std::string& entry);

/// A template instance that a kernel launches.
struct Instance {
  std::string entry;       ///< As written in front matter.
  std::string expression;  ///< With the values of the tunables: "reduce<256>".
  int line = 0;            ///< The line of the entry's name; 0: unknown.
};

/// The entries of a kernel that are instances; empty if its front matter is invalid.
[[nodiscard]] std::vector<Instance> instancesOf(const KernelSource& source,
                                                const Bindings& tunables);

/// Gives the functions of the instances their module names. A missing instance, or two
/// indistinguishable instances of one template, are an Error; `path` is the kernel's file.
Status nameInstances(ptx::Module& module, const std::vector<Instance>& instances,
                     const std::string& path);

}  // namespace tilestep::compile
