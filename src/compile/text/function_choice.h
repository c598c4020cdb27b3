// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compile/kernel.h"
#include "compile/text/kernel_heads.h"

/// Finds the `__global__` function of a file to which a name refers.
namespace tilestep::compile {

/// "sums::reduce" for "sums::reduce<256>".
[[nodiscard]] std::string withoutArguments(const std::string& entry);

/// "<256>" for "reduce<256>"; empty if there are no arguments.
[[nodiscard]] std::string argumentsOf(const std::string& entry);

/// Whether `name`, with or without its namespaces, refers to the function.
[[nodiscard]] bool means(const std::string& name, const KernelHead& kernel);

class FunctionChoice {
 public:
  /// `source` must outlive this object.
  FunctionChoice(const KernelSource& source, std::string fileName);

  /// The function that KernelSource::entry requests. Null if not all functions are visible in the
  /// source, and no visible function matches.
  [[nodiscard]] Result<const KernelHead*> asked() const;

  /// The function if no name is given: the only function, or the function with the file's name.
  /// Null if there is none, or if one with the file's name may exist but is not visible.
  [[nodiscard]] Result<const KernelHead*> unnamed(bool hasFrontMatter) const;

  /// The visible function with this name, or null. Fails if another namespace has a function with
  /// the same last name, because compiled functions are found by their last names.
  [[nodiscard]] Result<const KernelHead*> named(const std::string& name) const;

  /// The reason why the function cannot have these template arguments; empty if it can have them.
  [[nodiscard]] std::string misfit(const KernelHead& kernel, const std::string& arguments) const;

  /// "this file has no __global__ function add; it has scale (line 3)".
  [[nodiscard]] std::string fileHas(const std::string& missing) const;

  [[nodiscard]] const std::vector<KernelHead>& kernels() const { return heads_.kernels; }
  /// Whether all functions are visible in the source.
  [[nodiscard]] bool complete() const { return heads_.complete; }

  [[nodiscard]] Error at(int line, std::string message) const;

 private:
  [[nodiscard]] Error atKernels(std::string message) const;

  const KernelSource& source_;
  std::string fileName_;
  KernelHeads heads_;
};

}  // namespace tilestep::compile
