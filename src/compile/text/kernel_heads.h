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

/// The head of a `__global__` function with a body; positions are token indices.
struct KernelHead {
  std::string name;       ///< "reduce"
  std::string qualified;  ///< With its namespaces: "sums::reduce"; unnamed ones are omitted.
  int line = 0;           ///< The line of the name, from 1.
  /// The list's "(", and one past its ")".
  size_t parameters = 0, parametersEnd = 0;
  /// The body's "{", and one past its "}"; if it is not closed, one past the "{".
  size_t body = 0, bodyEnd = 0;
  bool isTemplate = false;
  /// The template's "<" and ">"; equal if it is not a template.
  size_t templateOpen = 0, templateClose = 0;
};

struct KernelHeads {
  std::vector<KernelHead> kernels;
  /// Whether the text shows every kernel and template: all brackets match, there are no digraphs,
  /// and no macro defines or names a kernel.
  bool complete = true;
};

/// The `__global__` functions with a body, in text order. A function that is repeated, in branches
/// of an `#if` or for several parameter types, is included once, at its first place. `tokens` are
/// those of `source`. Attributes, extern "C", templates, namespaces and branches are handled; code
/// in `#if 0` and explicit specialisations of templates are omitted. Functions that macros define
/// or name are not found.
[[nodiscard]] KernelHeads kernelHeads(std::string_view source, const CudaTokens& tokens);

/// "add (line 3) and scale (line 9)", from objects with `qualified` and `line`; a long list is cut.
template <typename Kernel>
[[nodiscard]] std::string listedKernels(const std::vector<Kernel>& kernels) {
  std::vector<std::string> names;
  for (const Kernel& kernel : kernels)
    names.push_back(kernel.qualified + " (line " + std::to_string(kernel.line) + ")");
  return listedFirst(std::move(names));
}

}  // namespace tilestep::compile
