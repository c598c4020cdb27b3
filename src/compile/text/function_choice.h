// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "compile/kernel.h"
#include "compile/text/kernel_heads.h"

/// The meaning of a name among the `__global__` functions of a file.
namespace tilestep::compile {

/// "sums::reduce" of "sums::reduce<256>".
[[nodiscard]] std::string withoutArguments(const std::string& entry);

/// "<256>" of "reduce<256>"; empty where there are none.
[[nodiscard]] std::string argumentsOf(const std::string& entry);

/// Whether `name`, with or without its namespaces, means the function.
[[nodiscard]] bool means(const std::string& name, const KernelHead& kernel);

class FunctionChoice {
 public:
  /// `source` must live as long as this.
  FunctionChoice(const KernelSource& source, std::string fileName);

  /// The function that KernelSource::entry asks for; null where the text does not show every
  /// function and none of those that it shows is meant.
  [[nodiscard]] Result<const KernelHead*> asked() const;

  /// Without a name: the only function, or the one of the file's name. Null where there is none, or
  /// where one of the file's name may be hidden.
  [[nodiscard]] Result<const KernelHead*> unnamed(bool hasFrontMatter) const;

  /// Null where there is none of the name. An Error where another namespace has a function of the
  /// same last name, for what the compiler makes is searched by last names.
  [[nodiscard]] Result<const KernelHead*> named(const std::string& name) const;

  /// Why the function cannot have these template arguments; empty: it can.
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
