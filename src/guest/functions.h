// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "guest/protocol.h"

/// The kernels and device variables of the program, which code made by clang registers before
/// `main`; read-only afterwards.
namespace tilestep::guest {

struct Function {
  int error = 0;  ///< A cudaError, if it cannot be launched.
  FunctionFacts facts{};
  std::vector<Parameter> parameters;
};

/// Null if `pointer` is not a kernel of the program.
const Function* functionAt(const void* pointer);

struct Variable {
  uint64_t address = 0;
  uint64_t bytes = 0;
  bool isManaged = false;
};

const Variable* variableAt(const void* pointer);
/// The device address of a place in a managed variable; 0 if the pointer is into none.
uint64_t managedAddressOf(uint64_t pointer);

}  // namespace tilestep::guest
