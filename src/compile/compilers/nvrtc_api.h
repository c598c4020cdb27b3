// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// The part of NVRTC's C interface that Tilestep calls (NVRTC documentation, "Compilation" and
/// "Error Handling"). Declared here so that Tilestep can be built without the CUDA Toolkit.
namespace tilestep::compile::nvrtc {

using Status = int;
constexpr Status kSuccess = 0;
constexpr Status kCompilation = 6;  ///< The source has errors, which are in the log.

using Program = struct OpaqueProgram*;

using Version = Status (*)(int* major, int* minor);
using GetErrorString = const char* (*)(Status status);
using CreateProgram = Status (*)(Program* program, const char* source, const char* name,
                                 int headerCount, const char* const* headers,
                                 const char* const* headerNames);
using DestroyProgram = Status (*)(Program* program);
using CompileProgram = Status (*)(Program program, int optionCount, const char* const* options);
using AddNameExpression = Status (*)(Program program, const char* expression);
using GetSize = Status (*)(Program program, size_t* size);
using GetText = Status (*)(Program program, char* text);

}  // namespace tilestep::compile::nvrtc
