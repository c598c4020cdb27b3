// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compile/kernel.h"
#include "ptx/ir.h"

/// Entries as front matter names them: `saxpy`, or a template's instance, `reduce<BLOCK>`, with
/// tunables among its arguments.
namespace tilestep::compile {

/// A name, with namespaces or without, and perhaps template arguments.
[[nodiscard]] bool isEntryName(std::string_view entry);

/// The entry's name in the compiled module: unchanged if it is an identifier.
[[nodiscard]] std::string moduleNameOf(std::string_view entry);

/// Says that a file has several functions of the entry's name, with different parameters.
[[nodiscard]] Error overloadedEntry(const std::string& entry);

/// A template's instance that a kernel launches.
struct Instance {
  std::string entry;       ///< As front matter has it.
  std::string expression;  ///< With the tunables' values: "reduce<256>".
  int line = 0;            ///< The line of the entry's name; 0: unknown.
};

/// Those of a kernel's entries that are instances; none where its front matter does not parse.
[[nodiscard]] std::vector<Instance> instancesOf(const KernelSource& source,
                                                const Bindings& tunables);

/// Gives the functions of the instances their module names. Two instances of one template that
/// cannot be told apart, or one that is not there, are an Error; `path` is the kernel's file.
Status nameInstances(ptx::Module& module, const std::vector<Instance>& instances,
                     const std::string& path);

}  // namespace tilestep::compile
