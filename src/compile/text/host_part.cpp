// SPDX-License-Identifier: Apache-2.0
#include "compile/text/host_part.h"

#include "compile/text/cuda_lexer.h"

namespace tilestep::compile {

std::string hostPart(std::string_view source) {
  std::string part;
  bool isDevice = false;  // Since the last end of a statement.
  int depth = 0;          // Of braces in a function for the device; 0: outside.
  for (const CudaToken& token : cudaTokens(source)) {
    if (depth > 0) {
      depth += token.is("{") ? 1 : token.is("}") ? -1 : 0;
      continue;
    }
    isDevice = isDevice || token.is("__global__") || token.is("__device__");
    part.append(token.text).append(" ");
    if (token.is("{") && isDevice) depth = 1;
    if (token.is("{") || token.is(";") || token.is("}")) isDevice = false;
  }
  return part;
}

}  // namespace tilestep::compile
