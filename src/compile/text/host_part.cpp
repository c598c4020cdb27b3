// SPDX-License-Identifier: Apache-2.0
#include "compile/text/host_part.h"

#include "compile/text/cuda_lexer.h"

namespace tilestep::compile {

std::string hostPart(std::string_view source) {
  std::string part;
  std::string all;
  bool isDevice = false, isHost = false;  // Of the current declaration.
  int depth = 0;                          // Of braces in a device function; 0 outside.
  for (const CudaToken& token : cudaTokens(source)) {
    all.append(token.text).append(" ");
    if (depth > 0) {
      depth += token.is("{") ? 1 : token.is("}") ? -1 : 0;
      continue;
    }
    isHost = isHost || token.is("__host__");
    isDevice = isDevice || token.is("__global__") || token.is("__device__");
    part.append(token.text).append(" ");
    if (token.is("{") && isDevice && !isHost) depth = 1;
    if (token.is("{") || token.is(";") || token.is("}")) isDevice = isHost = false;
  }
  // If braces do not match, as when both branches of an #if have one, return the whole source.
  return depth == 0 ? part : all;
}

}  // namespace tilestep::compile
