// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/text/token_ranges.h"

/// What a CUDA C++ program shows about its kernels without being compiled: parameters, how they are
/// used, and the first launch. It is read from tokens only, so all of it is a guess.
namespace tilestep::compile {

struct KernelParameter {
  std::string name;
  std::string type;  ///< As written, without const, * and the like: "unsigned int".
  bool pointer = false;
  int stars = 0;                       ///< Levels of pointers: 2 of float **.
  bool read = false, written = false;  ///< The memory behind it, if the body shows it.
  /// Factors of the first index of the form row * columns + …: the row's text as tokens, and the
  /// word it is multiplied by.
  CudaTokens row;
  std::string columns;
  CudaTokens index;              ///< The first index, whole.
  bool single = false;           ///< Never indexed: `*name` is what is written.
  std::optional<int64_t> bytes;  ///< Allocated by the host for the first launch's argument.
  bool zeroed = false;           ///< Whether the host sets those bytes to 0.
};

/// A number for each dimension; nothing where it is not written out.
using LaunchShape = std::array<std::optional<int64_t>, 3>;

/// A __constant__ variable that a kernel names.
struct ConstantVariable {
  std::string name, type;
  int64_t elements = 1;
  bool known = true;  ///< Whether the text says how many elements.
};

struct LaunchedKernel {
  std::string name;
  std::string qualified;  ///< With its namespaces: "sums::reduce".
  int line = 0;           ///< Where the name stands, from 1.
  bool isTemplate = false;
  std::vector<std::string> templateNames;  ///< Its parameters: "T", "BLOCK".
  std::vector<bool> templateTypes;         ///< Which of them are types.
  bool templateDefaults = false;           ///< All of them have defaults.
  std::string instance;  ///< Template arguments of the first launch: "256"; empty: none seen.
  std::vector<KernelParameter> parameters;
  CudaTokens body;
  bool launched = false;
  LaunchShape grid, block;
  std::optional<int64_t> dynamicSharedBytes;
  std::vector<std::optional<int64_t>> arguments;  ///< The first launch's, by parameter.
  std::vector<std::string> literals;              ///< Likewise, as written: "2.5f".
  std::vector<ConstantVariable> constants;        ///< Those that the body names.

  /// Whether the body names that dimension: "threadIdx", 'y'.
  [[nodiscard]] bool uses(std::string_view variable, char dimension) const;
  [[nodiscard]] bool uses(std::string_view word) const;
};

/// The __global__ functions that kernelHeads finds, in the order of the text, which must live as
/// long as what is returned.
[[nodiscard]] std::vector<LaunchedKernel> launchedKernels(std::string_view source);

}  // namespace tilestep::compile
