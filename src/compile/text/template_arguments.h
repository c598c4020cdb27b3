// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "compile/text/kernel_heads.h"

/// The intended template arguments of a kernel, as far as the source shows them.
namespace tilestep::compile {

/// "16,float" for the first `NAME<16, float><<<…>>>` in the tokens; empty if there is none.
[[nodiscard]] std::string launchedArguments(const CudaTokens& tokens, std::string_view name);

/// Whether every template parameter has a default.
[[nodiscard]] bool hasAllDefaults(const CudaTokens& tokens, const KernelHead& kernel);

}  // namespace tilestep::compile
