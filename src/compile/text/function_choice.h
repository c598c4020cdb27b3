// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compile/kernel.h"
#include "compile/text/kernel_heads.h"

/// Finds the `__global__` function of a file that a name refers to.
namespace tilestep::compile {

/// "sums::reduce" of "sums::reduce<256>".
[[nodiscard]] std::string withoutArguments(const std::string& entry);

/// "<256>" of "reduce<256>"; empty without arguments.
[[nodiscard]] std::string argumentsOf(const std::string& entry);

/// Whether `name`, with or without its namespaces, refers to the function.
[[nodiscard]] bool means(const std::string& name, const KernelHead& kernel);

class FunctionChoice {
 public:
  /// `source` must outlive this.
  FunctionChoice(const KernelSource& source, std::string fileName);

  /// The function that KernelSource::entry requests; null if the text does not show every function
  /// and none of the visible ones matches.
  [[nodiscard]] Result<const KernelHead*> asked() const;

  /// Without a name: the only function, or the one with the file's name. Null if there is none, or
  /// if one with the file's name may be hidden.
  [[nodiscard]] Result<const KernelHead*> unnamed(bool hasFrontMatter) const;

  /// Null if there is none with this name. An Error if another namespace has a function with the
  /// same last name, because compiled functions are found by their last names.
  [[nodiscard]] Result<const KernelHead*> named(const std::string& name) const;

  /// The reason why the function cannot have these template arguments; empty if it can.
  [[nodiscard]] std::string misfit(const KernelHead& kernel, const std::string& arguments) const;

  /// "this file has no __global__ function add; it has scale (line 3)".
  [[nodiscard]] std::string fileHas(const std::string& missing) const;

  [[nodiscard]] const std::vector<KernelHead>& kernels() const { return heads_.kernels; }
  /// Whether the text shows every function.
  [[nodiscard]] bool complete() const { return heads_.complete; }

  [[nodiscard]] Error at(int line, std::string message) const;

 private:
  [[nodiscard]] Error atKernels(std::string message) const;

  const KernelSource& source_;
  std::string fileName_;
  KernelHeads heads_;
};

}  // namespace tilestep::compile
