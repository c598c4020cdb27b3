// SPDX-License-Identifier: Apache-2.0
#include "compile/text/template_arguments.h"

#include <algorithm>

namespace tilestep::compile {

std::string launchedArguments(const CudaTokens& tokens, std::string_view name) {
  for (size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (!tokens[i].is(name) || !tokens[i + 1].is("<")) continue;
    const size_t end = std::min(tokens.size(), i + kLongestAngle);
    for (size_t at = i + 2; at + 1 < end && !tokens[at].is(";"); ++at)
      if (tokens[at].is(">") && tokens[at + 1].is("<<<")) return joined(slice(tokens, i + 2, at));
  }
  return {};
}

bool hasAllDefaults(const CudaTokens& tokens, const KernelHead& kernel) {
  const CudaTokens inside = slice(tokens, kernel.templateOpen + 1, kernel.templateClose);
  return std::ranges::all_of(atCommas(inside), [](const CudaTokens& parameter) {
    return std::ranges::any_of(parameter, [](const CudaToken& token) { return token.is("="); });
  });
}

}  // namespace tilestep::compile
