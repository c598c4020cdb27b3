// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "guest/protocol.h"

/// The kernels and device variables of the program, as clang's own code registers them before
/// `main`; read-only afterwards.
namespace tilestep::guest {

struct Function {
  int error = 0;  ///< A cudaError: why it cannot be launched.
  FunctionFacts facts{};
  std::vector<Parameter> parameters;
};

/// Null where `pointer` is no kernel of the program.
const Function* functionAt(const void* pointer);

struct Variable {
  uint64_t address = 0;
  uint64_t bytes = 0;
  bool isManaged = false;
};

const Variable* variableAt(const void* pointer);
/// The device's address of what a managed variable holds there; 0 where the pointer is into none.
uint64_t managedAddressOf(uint64_t pointer);

}  // namespace tilestep::guest
