// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/nearest_name.h"
#include "compile/text/token_ranges.h"

namespace tilestep::compile {

/// The head of a `__global__` function with a body. Positions are token indices.
struct KernelHead {
  std::string name;       ///< "reduce"
  std::string qualified;  ///< With its named namespaces: "sums::reduce".
  int line = 0;           ///< The line of the name, from 1.
  /// The "(" of the parameter list, and one past its ")".
  size_t parameters = 0, parametersEnd = 0;
  /// The "{" of the body, and one past its "}", or one past the "{" if the body is not closed.
  size_t body = 0, bodyEnd = 0;
  bool isTemplate = false;
  /// The "<" and ">" of the template parameters; equal if this is not a template.
  size_t templateOpen = 0, templateClose = 0;
};

struct KernelHeads {
  std::vector<KernelHead> kernels;
  /// Whether all kernels and templates are visible in the source: all brackets match, there are no
  /// digraphs, and no macro defines or renames a kernel.
  bool complete = true;
};

/// The `__global__` functions with a body, in the order of the source. A function that occurs
/// several times, in branches of an `#if` or as overloads, is included only once, at its first
/// position. `tokens` are the tokens of `source`. Handles attributes, extern "C", templates,
/// namespaces and branches. Omits code in `#if 0` and explicit specialisations of templates. Does
/// not find functions that macros define or rename.
[[nodiscard]] KernelHeads kernelHeads(std::string_view source, const CudaTokens& tokens);

/// "add (line 3) and scale (line 9)", from objects with `qualified` and `line`. Long lists are cut.
template <typename Kernel>
[[nodiscard]] std::string listedKernels(const std::vector<Kernel>& kernels) {
  std::vector<std::string> names;
  for (const Kernel& kernel : kernels)
    names.push_back(kernel.qualified + " (line " + std::to_string(kernel.line) + ")");
  return listedFirst(std::move(names));
}

}  // namespace tilestep::compile
