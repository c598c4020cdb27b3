// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "compile/nearest_name.h"
#include "compile/token_ranges.h"

namespace tilestep::compile {

/// The head of a `__global__` function that has a body; positions are indices of tokens.
struct KernelHead {
  std::string name;       ///< "reduce"
  std::string qualified;  ///< With its namespaces: "sums::reduce"; unnamed ones are left out.
  int line = 0;           ///< Of the name, from 1.
  size_t parameters = 0;  ///< The list's "(".
  size_t body = 0;        ///< The body's "{".
  bool isTemplate = false;
  /// The template's "<" and ">"; the same token twice where it is no template.
  size_t templateOpen = 0, templateClose = 0;
};

/// Every `__global__` function with a body, in the order of the text. `tokens` are those of
/// `source`. Attributes, extern "C", templates and namespaces are understood; what is inside
/// `#if 0` is left out, and so are explicit specialisations of a template. Functions that macros
/// make are not seen.
[[nodiscard]] std::vector<KernelHead> kernelHeads(std::string_view source,
                                                  const CudaTokens& tokens);

/// "add (line 3) and scale (line 9)": what has a `qualified` name and a `line`.
template <typename Kernel>
[[nodiscard]] std::string listedKernels(const std::vector<Kernel>& kernels) {
  std::vector<std::string> names;
  for (const Kernel& kernel : kernels)
    names.push_back(kernel.qualified + " (line " + std::to_string(kernel.line) + ")");
  return listed(names);
}

}  // namespace tilestep::compile
