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

/// The head of a `__global__` function that has a body; positions are indices of tokens.
struct KernelHead {
  std::string name;       ///< "reduce"
  std::string qualified;  ///< With its namespaces: "sums::reduce"; unnamed ones are left out.
  int line = 0;           ///< The line of the name, from 1.
  /// The list's "(", and one past its ")".
  size_t parameters = 0, parametersEnd = 0;
  /// The body's "{", and one past its "}"; where nothing closes it, one past the "{".
  size_t body = 0, bodyEnd = 0;
  bool isTemplate = false;
  /// The template's "<" and ">"; the same token twice where it is no template.
  size_t templateOpen = 0, templateClose = 0;
};

struct KernelHeads {
  std::vector<KernelHead> kernels;
  /// Whether the text shows every kernel and template: all brackets close, none is a digraph, and
  /// no macro makes a kernel or its name.
  bool complete = true;
};

/// The `__global__` functions with a body, in the order of the text. One that is written several
/// times, in branches of an `#if` or for several types of parameters, is given once, where it
/// first stands. `tokens` are those of `source`. Attributes, extern "C", templates, namespaces and
/// branches are understood; what is inside `#if 0` is left out, and so are explicit specialisations
/// of a template. Functions that macros make or name are not seen.
[[nodiscard]] KernelHeads kernelHeads(std::string_view source, const CudaTokens& tokens);

/// "add (line 3) and scale (line 9)": what has a `qualified` name and a `line`; of many the first
/// ones.
template <typename Kernel>
[[nodiscard]] std::string listedKernels(const std::vector<Kernel>& kernels) {
  std::vector<std::string> names;
  for (const Kernel& kernel : kernels)
    names.push_back(kernel.qualified + " (line " + std::to_string(kernel.line) + ")");
  return listedFirst(std::move(names));
}

}  // namespace tilestep::compile
